import { t } from '../base/l10n';

export const diagramStrings = {
  diagram: t('Diagram'),
  actions: t('Diagram actions'),
  zoomIn: t('Zoom In'),
  zoomOut: t('Zoom Out'),
  fit: t('Zoom to Fit'),
  copySvg: t('Copy as SVG'),
  copyPng: t('Copy as PNG'),
  copied: t('Copied'),
  notCopied: t('Couldn’t copy the diagram.'),
  drawing: t('Drawing the diagram…'),
  drawn: t('Diagram drawn.'),
  failed: t('Couldn’t draw the diagram.'),
  empty: t('The diagram is empty.'),
  tooLong: (count: string, limit: string) =>
    t('The diagram is {0} characters long; the limit is {1}.', count, limit),
  timeout: t('The diagram took too long and was stopped.'),
  tryAgain: t('Try Again'),
} as const;
