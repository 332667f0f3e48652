import type { Shell } from '../../shared/protocol/shell';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { formatPlaceholder } from '../base/format';
import type { HostConnection } from './hostConnection';
import { hasComposer, type PageState } from './state';

/** Saves what the page shows around the transcript, for its first frame when VS Code loads it again. */
export function saveShell(host: HostConnection, { panel, composer }: PageState, inEditor: boolean): void {
  const { name, bot } = panel.conversation;
  const shell: Shell = {
    ...(!inEditor && name && { title: escapeInvisible(name) }),
    ...(hasComposer(panel) && { placeholder: composer.text ? '' : formatPlaceholder(bot) }),
    ...(panel.chatFont && { font: panel.chatFont }),
  };
  host.saveShell(shell);
}
