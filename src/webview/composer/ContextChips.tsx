import closeIcon from '@vscode/codicons/src/icons/close.svg';
import diffIcon from '@vscode/codicons/src/icons/diff.svg';
import fileIcon from '@vscode/codicons/src/icons/file.svg';
import selectionIcon from '@vscode/codicons/src/icons/list-selection.svg';
import terminalIcon from '@vscode/codicons/src/icons/terminal.svg';
import warningIcon from '@vscode/codicons/src/icons/warning.svg';
import { useState } from 'preact/hooks';
import type { ContextChip } from '../../shared/conversation/message';
import { countCodePoints } from '../../shared/conversation/message';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { Icon } from '../base/icons';
import { formatCount, plural, t } from '../base/l10n';
import { usePage } from '../page/pageServices';

interface Props {
  readonly conversationId: string;
  readonly context: readonly ContextChip[];
}

const ICONS = {
  selection: selectionIcon,
  file: fileIcon,
  problems: warningIcon,
  terminal: terminalIcon,
  diff: diffIcon,
} as const satisfies Record<ContextChip['kind'], string>;
const PREVIEW_LINES = 14;

/** The context of the message with its length; each chip shows a preview on hover and focus. */
export function ContextChips({ conversationId, context }: Props) {
  const page = usePage();
  const [shown, show] = useState<string>();
  const remove = (chip: ContextChip, from: HTMLElement) => {
    // Move the focus to the next chip, or to the text box if there is none.
    const item = from.closest('li');
    const next = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button');
    page.post({ type: 'removeContext', conversationId, chipId: chip.id });
    show(undefined);
    if (next) next.focus();
    else page.focusComposer();
  };
  return (
    <ul class="chips" aria-label={t('Context')} onMouseLeave={() => show(undefined)}>
      {context.map((chip) => {
        const name = escapeInvisible(chip.name);
        const characters = countCodePoints(chip.text);
        const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
          if (event.key === 'Delete' || event.key === 'Backspace') remove(chip, event.currentTarget);
          else if (event.key === 'Escape' && shown !== undefined) show(undefined);
          else return;
          event.preventDefault();
        };
        return (
          <li key={chip.id} class="chip">
            <button
              type="button"
              class="chip-name"
              aria-keyshortcuts="Delete"
              aria-describedby={shown === chip.id ? 'chip-preview' : undefined}
              onKeyDown={onKeyDown}
              onFocus={() => show(chip.id)}
              onBlur={() => show(undefined)}
              onMouseEnter={() => show(chip.id)}
            >
              <Icon file={ICONS[chip.kind]} />
              <bdi>{name}</bdi>
              <span class="chip-cost" aria-hidden="true">
                {formatCount(characters)}
              </span>
              <span class="unseen">{plural(characters, '{0} character', '{0} characters')}</span>
            </button>
            <button
              type="button"
              class="icon-button"
              tabIndex={-1}
              aria-label={t('Remove {0}', name)}
              title={t('Remove {0}', name)}
              onClick={(event) => remove(chip, event.currentTarget)}
            >
              <Icon file={closeIcon} />
            </button>
            {shown === chip.id && <Preview text={chip.text} />}
          </li>
        );
      })}
    </ul>
  );
}

function Preview({ text }: { readonly text: string }) {
  const lines = text.split('\n');
  const more = lines.length - PREVIEW_LINES;
  return (
    <div class="chip-preview" id="chip-preview" role="tooltip">
      <pre>{escapeInvisible(lines.slice(0, PREVIEW_LINES).join('\n'))}</pre>
      {more > 0 && <p>{plural(more, '… {0} more line', '… {0} more lines')}</p>}
    </div>
  );
}
