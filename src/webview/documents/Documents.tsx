import { useLayoutEffect } from 'preact/hooks';
import type { ServiceDocument, Turn } from '../../shared/view/viewModel';
import { useIdleImport } from '../base/useIdleImport';
import { useServices } from '../page/pageServices';

interface Props {
  readonly conversationId: string;
  readonly turns: readonly Turn[];
  readonly serviceDocuments: readonly ServiceDocument[] | undefined;
  readonly uploadFolder: string | undefined;
}

/** The conversation's documents, and the handlers for dropped and pasted files. Loaded after the page's first render. */
export function Documents({ conversationId, turns, serviceDocuments, uploadFolder }: Props) {
  const services = useServices();
  const scripts = useIdleImport(load);
  useLayoutEffect(
    () => scripts?.addPasteListener(services, conversationId, turns),
    [scripts, services, conversationId, turns],
  );
  if (!scripts) return null;
  const { DocumentTray, DropZone } = scripts;
  return (
    <>
      <DocumentTray
        key={conversationId}
        conversationId={conversationId}
        turns={turns}
        serviceDocuments={serviceDocuments}
        uploadFolder={uploadFolder}
      />
      <DropZone conversationId={conversationId} />
    </>
  );
}

async function load() {
  const [{ DocumentTray }, { DropZone }, { addPasteListener }] = await Promise.all([
    import('./DocumentTray'),
    import('./DropZone'),
    import('./fileTransfer'),
  ]);
  return { DocumentTray, DropZone, addPasteListener };
}
