import copyIcon from '@vscode/codicons/src/icons/copy.svg';
import fileMediaIcon from '@vscode/codicons/src/icons/file-media.svg';
import screenNormalIcon from '@vscode/codicons/src/icons/screen-normal.svg';
import zoomInIcon from '@vscode/codicons/src/icons/zoom-in.svg';
import zoomOutIcon from '@vscode/codicons/src/icons/zoom-out.svg';
import { type DiagramMessage, MAX_DIAGRAM_LENGTH, type ToDiagram } from '../../shared/protocol/diagram';
import { createButton, createElement } from '../base/elements';
import { formatCount, t } from '../base/l10n';
import { copyPng, toImageUrl } from './copyDiagram';
import style from './diagram.css';
import { drawDiagram } from './diagramFrame';
import { readTheme } from './diagramTheme';
import { type InertSvg, toInertSvg } from './inertSvg';
import { Viewer } from './viewer';

declare function acquireVsCodeApi(): { postMessage(message: DiagramMessage): void };

const vscode = acquireVsCodeApi();
let source: string | undefined;
let drawing: InertSvg | undefined;

document.head.append(createElement('style', '', style));
const stage = createElement('div', 'stage');
stage.tabIndex = 0;
stage.setAttribute('role', 'region');
stage.setAttribute('aria-label', t('Diagram'));
const status = createElement('p', 'unseen');
status.setAttribute('role', 'status');
const viewer = new Viewer(stage);
const bar = createElement('div', 'bar');
bar.setAttribute('role', 'toolbar');
bar.setAttribute('aria-label', t('Diagram actions'));
bar.append(
  createButton(zoomInIcon, `${t('Zoom In')} (+)`, () => viewer.zoomIn()),
  createButton(zoomOutIcon, `${t('Zoom Out')} (-)`, () => viewer.zoomOut()),
  createButton(screenNormalIcon, `${t('Zoom to Fit')} (0)`, () => viewer.fit()),
  createButton(copyIcon, t('Copy as SVG'), () => copySvg()),
  createButton(fileMediaIcon, t('Copy as PNG'), () => void copyAsPng()),
);
bar.hidden = true;
const main = createElement('main', '');
main.append(createElement('h1', 'unseen', t('Diagram')), bar, stage, status);
document.body.append(main);

addEventListener('message', ({ data, source: sender }: MessageEvent<ToDiagram>) => {
  if (isFrame(sender) || data.type !== 'diagram') return;
  source = data.source;
  void draw();
});
// VS Code changes the theme of a page by its body's class and the variables of its root.
new MutationObserver(() => void draw()).observe(document.body, {
  attributeFilter: ['class', 'data-vscode-theme-id'],
});
vscode.postMessage({ type: 'ready' });

async function draw(): Promise<void> {
  if (source === undefined) return;
  if (source.trim() === '') return fail(t('The diagram is empty.'));
  if (source.length > MAX_DIAGRAM_LENGTH)
    return fail(
      t(
        'The diagram is {0} characters long; the limit is {1}.',
        formatCount(source.length),
        formatCount(MAX_DIAGRAM_LENGTH),
      ),
    );
  const { background, ...theme } = readTheme();
  announce(t('Drawing the diagram…'));
  if (!drawing) stage.replaceChildren(createElement('p', 'problem', t('Drawing the diagram…')));
  const response = await drawDiagram({ source, ...theme });
  if (response === 'replaced') return;
  if (response === 'timeout') return fail(t('The diagram took too long and was stopped.'));
  if ('error' in response) return fail(t('Couldn’t draw the diagram.'), response.error);
  drawing = toInertSvg(response.svg, background);
  if (!drawing) return fail(t('The diagram is empty.'));
  viewer.showDiagram(drawing, toImageUrl(drawing), t('Diagram'));
  bar.hidden = false;
  announce(t('Diagram drawn.'));
  vscode.postMessage({ type: 'done' });
}

/** Returns whether a message comes from the frame that draws, which isn't trusted. */
function isFrame(sender: MessageEventSource | null): boolean {
  return [...document.querySelectorAll('iframe')].some(({ contentWindow }) => contentWindow === sender);
}

/** Shows why there is no diagram, with Mermaid's own message as plain text. */
function fail(text: string, detail?: string): void {
  drawing = undefined;
  bar.hidden = true;
  const problem = createElement('div', 'problem');
  problem.setAttribute('role', 'alert');
  problem.append(createElement('p', '', text));
  if (detail) problem.append(createElement('pre', '', detail));
  const again = createElement('button', 'button', t('Try Again'));
  again.addEventListener('click', () => void draw());
  problem.append(again);
  stage.replaceChildren(problem);
  status.textContent = '';
  vscode.postMessage({ type: 'done' });
}

function copySvg(): void {
  if (!drawing) return;
  vscode.postMessage({ type: 'copySvg', text: drawing.markup });
  announce(t('Copied'));
}

async function copyAsPng(): Promise<void> {
  if (!drawing) return;
  try {
    await copyPng(drawing);
    announce(t('Copied'));
  } catch {
    announce(t('Couldn’t copy the diagram.'));
  }
}

function announce(text: string): void {
  status.textContent = text;
}
