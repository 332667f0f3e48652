import mermaid from 'mermaid';
import type { DrawRequest, DrawResponse } from './frameMessages';

/** Bounds the time that the layout takes, besides the limit of the text. */
const MAX_EDGES = 500;
/** Far above the page's own limit, which has a message of its own. */
const MAX_TEXT_LENGTH = 1_000_000;

/** The settings that a diagram can't change by its directives. */
const SECURED_SETTINGS = ['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges'];
const SECURED_LOOK = ['htmlLabels', 'themeCSS', 'suppressErrorRendering', 'fontFamily', 'logLevel'];

/** Draws diagrams for the page around this frame. The frame has no origin, so nothing that runs here reaches the page. */
addEventListener('message', ({ data, source }: MessageEvent<DrawRequest>) => {
  if (source === parent) void draw(data).then((response) => parent.postMessage(response, '*'));
});

async function draw({ source, isDark, themeVariables }: DrawRequest): Promise<DrawResponse> {
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      secure: [...SECURED_SETTINGS, ...SECURED_LOOK],
      suppressErrorRendering: true,
      maxTextSize: MAX_TEXT_LENGTH,
      maxEdges: MAX_EDGES,
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      // Otherwise a line can be seen through its label.
      themeCSS: '.edgeLabel rect { opacity: 1; }',
      logLevel: 'fatal',
      theme: 'base',
      darkMode: isDark,
      themeVariables,
    });
    return { svg: (await mermaid.render('diagram', source)).svg };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
