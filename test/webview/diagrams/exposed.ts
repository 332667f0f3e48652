import { createPng, toImageUrl } from '../../../src/webview/diagrams/copyDiagram';
import { drawDiagram } from '../../../src/webview/diagrams/diagramFrame';
import { toInertSvg } from '../../../src/webview/diagrams/inertSvg';
import '../../../src/webview/diagrams/diagramMain';

/** What tests call in the page of a diagram. */
export const exposed = { createPng, drawDiagram, toImageUrl, toInertSvg };

Object.assign(globalThis, { exposed });
