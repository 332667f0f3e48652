import { h } from 'preact';

const ATTRIBUTES = { class: 'icon', fill: 'currentColor', 'aria-hidden': 'true' };

/** An icon of VS Code's set, from its SVG source: each script bundles the ones it shows. */
export function Icon({ file }: { readonly file: string }) {
  return h(
    'svg',
    { ...ATTRIBUTES, viewBox: parseViewBox(file) },
    parsePaths(file).map((d) => h('path', { d })),
  );
}

/** Creates the same icon as a DOM element. */
export function createIcon(file: string): SVGElement {
  const svg = createSvgElement('svg', { ...ATTRIBUTES, viewBox: parseViewBox(file) });
  svg.append(...parsePaths(file).map((d) => createSvgElement('path', { d })));
  return svg;
}

function createSvgElement(tag: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function parseViewBox(file: string): string {
  return / viewBox="([^"]+)"/.exec(file)?.[1] ?? '0 0 16 16';
}

function parsePaths(file: string): string[] {
  return [...file.matchAll(/ d="([^"]+)"/g)].map(([, d]) => d ?? '');
}
