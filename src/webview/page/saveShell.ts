import type { Shell } from '../../shared/protocol/shell';
import { escapeInvisible } from '../base/format';
import { strings } from '../base/strings';
import type { HostConnection } from './hostConnection';
import type { PageState } from './state';

/** Saves what the page shows around the transcript, for its first frame when VS Code loads it again. */
export function saveShell(host: HostConnection, { panel, composer }: PageState, inEditor: boolean): void {
  const { conversation, setup, chatFont } = panel;
  const { name, bot, turns } = conversation;
  const hasComposer = turns.length > 0 || setup.step === 'done';
  const shell: Shell = {
    ...(!inEditor && name && { title: escapeInvisible(name) }),
    ...(hasComposer && {
      placeholder: composer.text ? '' : strings.placeholder(bot ? escapeInvisible(bot.name) : strings.bot),
    }),
    ...(chatFont && { font: chatFont }),
  };
  host.saveShell(shell);
}
