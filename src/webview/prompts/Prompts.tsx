import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { fillPrompt, getInputs, type PromptPart } from '../../shared/conversation/prompt';
import { fuzzyFilter } from '../../shared/text/fuzzyMatch';
import { t } from '../base/l10n';
import { type CompletionItem, CompletionPopup } from '../components/CompletionPopup';
import { useMessageBox } from '../components/useMessageBox';
import { usePage, useServices } from '../page/pageServices';
import { PromptForm } from './PromptForm';

interface Props {
  readonly conversationId: string;
  /** The text in the composer. */
  readonly text: string;
  /** Returns the number of characters of the message with a text in the composer. */
  readonly countCharacters: (text: string) => number;
}

interface Filling {
  readonly name: string;
  readonly parts: readonly PromptPart[];
}

/** In code units. What is longer isn't the name of a prompt. */
const MAX_QUERY_LENGTH = 60;
const MANAGE: CompletionItem = { id: '', name: t('Manage Prompts…') };

/** Offers prompts after a `/` at the start of the composer, with a form for the inputs of the accepted one. */
export function Prompts({ conversationId, text, countCharacters }: Props) {
  const page = usePage();
  const { host } = useServices();
  const [offered, setOffered] = useState(false);
  const [prompts, setPrompts] = useState<readonly CompletionItem[]>([]);
  const [filling, setFilling] = useState<Filling>();
  const latestText = useRef(text);
  latestText.current = text;
  const isMounted = useRef(true);
  const query = getQuery(text);
  const items = useMemo(
    () => (query === undefined || prompts.length === 0 ? [] : fuzzyFilter([...prompts, MANAGE], query)),
    [prompts, query],
  );

  const box = useMessageBox((message) => {
    // Only typing opens the list, not a draft or a past message. Once closed, it stays closed until the next `/`.
    const onInput = () => {
      if (message.value === '/') setOffered(true);
    };
    if (document.activeElement === message) onInput();
    message.addEventListener('input', onInput);
    return () => {
      isMounted.current = false;
      message.removeEventListener('input', onInput);
    };
  });
  useEffect(() => {
    if (query === undefined) setOffered(false);
  }, [query]);
  useEffect(() => {
    if (!offered) return;
    void page.showFailureOf(host.request('listPrompts', {}).then(setPrompts));
  }, [offered]);

  /** Puts a text into the composer: in place of `replaced` if that is still all there is, otherwise before the rest. */
  const insert = (inserted: string, replaced = '') => {
    const kept = latestText.current === replaced ? '' : latestText.current;
    page.setText(kept.trim() === '' ? inserted : `${inserted}\n\n${kept}`);
    setFilling(undefined);
    page.focusComposer();
  };
  /** `typed`: the text that led to the prompt. */
  const accept = async ({ id, name }: CompletionItem, typed = '') => {
    setOffered(false);
    if (id === MANAGE.id) {
      page.setText('');
      page.post({ type: 'managePrompts' });
      return;
    }
    const parts = await host.request('usePrompt', { conversationId, promptId: id });
    if (!isMounted.current || parts.length === 0) return;
    if (getInputs(parts).length === 0) insert(fillPrompt(parts, new Map()), typed);
    else {
      if (latestText.current === typed) page.setText('');
      setFilling({ name, parts });
    }
  };
  useEffect(() => page.events.on('usePrompt', (prompt) => void page.showFailureOf(accept(prompt))), []);

  if (filling) {
    return (
      <PromptForm
        key={filling.name}
        {...filling}
        countCharacters={countCharacters}
        onInsert={insert}
        onCancel={() => {
          setFilling(undefined);
          page.focusComposer();
        }}
      />
    );
  }
  return offered && box && items.length > 0 ? (
    <CompletionPopup
      box={box}
      label={t('Prompts')}
      items={items}
      onAccept={(item) => void page.showFailureOf(accept(item, text))}
      onClose={() => setOffered(false)}
    />
  ) : null;
}

/** Returns what was typed after a `/` at the start; undefined for other texts. */
function getQuery(text: string): string | undefined {
  const isQuery = /^\/[^\n]*$/.test(text) && text.length <= MAX_QUERY_LENGTH;
  return isQuery ? text.slice(1) : undefined;
}
