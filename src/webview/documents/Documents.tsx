import { useLayoutEffect } from 'preact/hooks';
import type { DocumentSyncView, ServiceDocumentView, Turn } from '../../shared/view/viewModel';
import { useServices } from '../page/pageServices';
import { useIdleImport } from '../page/useIdleImport';

interface Props {
  readonly conversationId: string;
  readonly turns: readonly Turn[];
  readonly serviceDocuments: readonly ServiceDocumentView[] | undefined;
  readonly uploadFolder: string | undefined;
  readonly sync: DocumentSyncView | undefined;
}

/** The conversation's documents, and the handlers for dropped and pasted files. Loaded after the page's first render. */
export function Documents({ conversationId, turns, serviceDocuments, uploadFolder, sync }: Props) {
  const services = useServices();
  const scripts = useIdleImport(load);
  useLayoutEffect(
    () => scripts?.addPasteListener(services, conversationId, turns),
    [scripts, services, conversationId, turns],
  );
  if (!scripts) return null;
  const { DocumentTray, DropZone, SyncLine } = scripts;
  return (
    <>
      {sync && <SyncLine key={`sync ${conversationId}`} conversationId={conversationId} sync={sync} />}
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
  const [{ DocumentTray }, { DropZone }, { addPasteListener }, { SyncLine }] = await Promise.all([
    import('./DocumentTray'),
    import('./DropZone'),
    import('./fileTransfer'),
    import('../documentSync/SyncLine'),
  ]);
  return { DocumentTray, DropZone, addPasteListener, SyncLine };
}
