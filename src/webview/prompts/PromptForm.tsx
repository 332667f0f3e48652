import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MESSAGE_LIMIT } from '../../shared/conversation/message';
import { fillPrompt, getInputs, type PromptPart } from '../../shared/conversation/prompt';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { formatCount, t } from '../base/l10n';
import { isSendKey } from '../base/sendKey';

interface Props {
  readonly name: string;
  readonly parts: readonly PromptPart[];
  readonly countCharacters: (text: string) => number;
  readonly onInsert: (text: string) => void;
  readonly onCancel: () => void;
}

/** Asks for the inputs of a prompt: Enter goes to the next one, and inserts the prompt after the last. */
export function PromptForm({ name, parts, countCharacters, onInsert, onCancel }: Props) {
  const form = useRef<HTMLElement>(null);
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const text = fillPrompt(parts, values);
  const count = countCharacters(text);
  const counts = [formatCount(count), formatCount(MESSAGE_LIMIT)] as const;
  useLayoutEffect(() => form.current?.querySelector('textarea')?.focus(), []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.isComposing) onCancel();
    else if (event.target instanceof HTMLTextAreaElement && isSendKey(event, 'enter')) {
      const boxes = [...(form.current?.querySelectorAll('textarea') ?? [])];
      const next = boxes[boxes.indexOf(event.target) + 1];
      if (next) next.focus();
      else onInsert(text);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <section
      class="strip prompt-form"
      aria-label={t('Inputs for the prompt “{0}”', escapeInvisible(name))}
      ref={form}
      onKeyDown={onKeyDown}
    >
      {getInputs(parts).map(({ name: input, hint }) => (
        <label key={input}>
          <bdi>{escapeInvisible(input)}</bdi>
          <textarea
            class="list-filter"
            dir="auto"
            rows={1}
            placeholder={escapeInvisible(hint)}
            value={values.get(input) ?? ''}
            onInput={({ currentTarget }) => setValues(new Map(values).set(input, currentTarget.value))}
          />
        </label>
      ))}
      <span
        class={count > MESSAGE_LIMIT ? 'composer-count over' : 'composer-count'}
        role="img"
        aria-label={t('{0} of {1} characters', ...counts)}
      >
        {counts.join(' / ')}
      </span>
      <div class="strip-actions">
        <button type="button" class="button" onClick={onCancel}>
          {t('Cancel')}
        </button>
        <button type="button" class="button primary" onClick={() => onInsert(text)}>
          {t('Insert')}
        </button>
      </div>
    </section>
  );
}
