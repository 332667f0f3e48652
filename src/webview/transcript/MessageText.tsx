import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { escapeBidi } from '../../shared/text/escapeInvisible';
import { t } from '../base/l10n';
import { setDirection } from '../base/textDirection';
import { createCodeBlockHooks } from '../code/codeBlock';
import { type PageHooks, renderMarkdown } from '../markdown/markdownStream';
import { type Services, useServices } from '../page/pageServices';

interface Props {
  readonly text: string;
}

/** A message of more lines, to which each 80 characters add one, is collapsed to ten. */
const MAX_LINES = 18;
const LINE_LENGTH = 80;
/** A longer text, which only a service or a file can have, isn't measured to find its width: that takes quadratic time. */
const MAX_MEASURED_LENGTH = 10_000;

/** The user's message, as Markdown. */
export function MessageText({ text }: Props) {
  const services = useServices();
  const body = useRef<HTMLDivElement>(null);
  const isLong = text.split('\n').length + text.length / LINE_LENGTH > MAX_LINES;
  const [expanded, setExpanded] = useState(false);
  const expand = () => setExpanded(true);
  useLayoutEffect(() => {
    if (body.current) renderMessage(body.current, text, services);
  }, [services, text]);
  return (
    <>
      <div
        class={`bubble ${isLong && !expanded ? 'collapsed' : ''} ${text.length > MAX_MEASURED_LENGTH ? 'wide' : ''}`}
        ref={body}
        onFocusIn={expand}
        onToggle={expand}
      />
      {isLong && (
        <button
          type="button"
          class="quiet-button"
          aria-expanded={expanded}
          onClick={() => setExpanded(!expanded)}
        >
          {expanded ? t('Show Less') : t('Show More')}
        </button>
      )}
    </>
  );
}

function renderMessage(body: HTMLElement, text: string, services: Services): void {
  const hooks: PageHooks = {
    ...createCodeBlockHooks(services),
    codeBlock(pre) {
      // Focusable, so that long lines can be scrolled by keyboard.
      pre.tabIndex = 0;
      return pre;
    },
    codeLine: () => undefined,
  };
  renderMarkdown(body, escapeBidi(text), hooks);
  // Line ends are shown, so those that Markdown makes line breaks would be shown twice.
  for (const br of body.querySelectorAll('br')) {
    if (br.nextSibling instanceof Text && br.nextSibling.data.startsWith('\n')) br.remove();
  }
  setDirection(body);
}
