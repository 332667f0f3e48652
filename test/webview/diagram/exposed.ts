import { createPng, toImageUrl } from '../../../src/webview/diagram/copyDiagram';
import { drawDiagram } from '../../../src/webview/diagram/diagramFrame';
import { toInertSvg } from '../../../src/webview/diagram/inertSvg';
import '../../../src/webview/diagram/main';

/** What tests call in the page of a diagram. */
export const exposed = { createPng, drawDiagram, toImageUrl, toInertSvg };

Object.assign(globalThis, { exposed });
