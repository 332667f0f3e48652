import { useEffect, useState } from 'preact/hooks';
import type { PromptSummary } from '../../shared/conversation/prompt';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { t } from '../base/l10n';
import { usePage, useServices } from '../page/pageServices';

const MAX_BUTTONS = 4;

/** The first prompts, for a conversation without messages. */
export function PromptButtons() {
  const page = usePage();
  const { host } = useServices();
  const [prompts, setPrompts] = useState<readonly PromptSummary[]>([]);
  useEffect(() => {
    void page.showFailureOf(host.request('listPrompts', {}).then(setPrompts));
  }, []);
  return prompts.length === 0 ? null : (
    <section class="strip-actions prompt-buttons" aria-label={t('Prompts')}>
      {prompts.slice(0, MAX_BUTTONS).map((prompt) => (
        <button
          key={prompt.id}
          type="button"
          class="button"
          title={prompt.description && escapeInvisible(prompt.description)}
          onClick={() => page.events.fire('usePrompt', prompt)}
        >
          <bdi>{escapeInvisible(prompt.name)}</bdi>
        </button>
      ))}
    </section>
  );
}
