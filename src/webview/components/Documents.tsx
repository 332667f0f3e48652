import { useLayoutEffect } from 'preact/hooks';
import type { ServiceDocument, Turn } from '../../shared/conversation';
import { useIdleScript } from '../idleScript';
import { usePage } from '../page';

interface Props {
  readonly conversationId: string;
  readonly turns: readonly Turn[];
  readonly serviceDocuments: readonly ServiceDocument[] | undefined;
}

/** The conversation's documents, and what takes dropped and pasted ones. Their scripts come once the page is drawn. */
export function Documents({ conversationId, turns, serviceDocuments }: Props) {
  const page = usePage();
  const scripts = useIdleScript(load);
  useLayoutEffect(
    () => scripts?.takePasted(page, conversationId, turns),
    [scripts, page, conversationId, turns],
  );
  if (!scripts) return null;
  const { Tray, DropZone } = scripts;
  return (
    <>
      <Tray
        key={conversationId}
        conversationId={conversationId}
        turns={turns}
        serviceDocuments={serviceDocuments}
      />
      <DropZone conversationId={conversationId} />
    </>
  );
}

async function load() {
  const [{ Tray }, { DropZone }, { takePasted }] = await Promise.all([
    import('./Tray'),
    import('./DropZone'),
    import('../incoming'),
  ]);
  return { Tray, DropZone, takePasted };
}
