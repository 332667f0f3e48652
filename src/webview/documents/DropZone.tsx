import attachIcon from '@vscode/codicons/src/icons/attach.svg';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Icon } from '../base/icons';
import { t } from '../base/l10n';
import { useServices } from '../page/pageServices';
import { carriesFiles, getDroppedFiles, uploadDropped } from './fileTransfer';

/** Covers the page while files are dragged over it, and uploads dropped files. Ignores drags that start on the page. */
export function DropZone({ conversationId }: { readonly conversationId: string }) {
  const services = useServices();
  const [over, setOver] = useState(false);
  useLayoutEffect(() => {
    let isOwn = false;
    const listeners: { [K in keyof HTMLElementEventMap]?: (event: DragEvent) => void } = {
      dragstart: () => {
        isOwn = true;
      },
      dragend: () => {
        isOwn = false;
      },
      dragover: (event) => {
        if (isOwn || !event.dataTransfer || !carriesFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      },
      dragleave: ({ relatedTarget }) => {
        if (relatedTarget === null) setOver(false);
      },
      drop: (event) => {
        setOver(false);
        if (isOwn || !event.dataTransfer || !carriesFiles(event.dataTransfer)) return;
        event.preventDefault();
        uploadDropped(services, conversationId, getDroppedFiles(event.dataTransfer));
      },
    };
    const all = Object.entries(listeners) as [keyof HTMLElementEventMap, EventListener][];
    for (const [type, listener] of all) document.addEventListener(type, listener);
    return () => {
      for (const [type, listener] of all) document.removeEventListener(type, listener);
    };
  }, [services, conversationId]);
  if (!over) return null;
  return (
    <div class="drop-zone">
      <Icon file={attachIcon} />
      <p>{t('Drop to upload to the conversation')}</p>
      <p class="drop-shift">{t('(hold Shift)')}</p>
    </div>
  );
}
