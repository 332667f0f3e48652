const SVG = 'http://www.w3.org/2000/svg';

const SHAPES = 'svg g defs marker path rect circle ellipse line polyline polygon symbol use';
const TEXTS = 'text tspan textPath title desc style';
const PAINTS = 'linearGradient radialGradient stop clipPath mask pattern filter';
const FILTERS =
  'feDropShadow feGaussianBlur feOffset feMerge feMergeNode feFlood feComposite feBlend feColorMatrix';
const ELEMENTS = new Set(`${SHAPES} ${TEXTS} ${PAINTS} ${FILTERS}`.split(' '));
/** Elements that are replaced by a group with their content. */
const GROUPS = new Set(['a', 'switch']);

/** Attributes with plain text. All others may be parsed as CSS, where escapes can hide a `url()`. */
const PLAIN_ATTRIBUTE = /^(?:id|class|role|aria-.*|data-.*)$/;
/** Functions of CSS that load something, except for a part of the same document. */
const LOADING_VALUE = /\\|@import|(?:image-set|image|src|cross-fade|element|paint)\(|url\((?!\s*["']?#)/i;

/** A reference to a part of the same document. */
const REFERENCE = /url\(\s*["']?#([^"')]*)["']?\s*\)/gi;
/** Elements that a reference doesn't draw again. */
const UNCOPIED = new Set(['linearGradient', 'radialGradient', 'filter']);

/** A drawn diagram: the markup of a document of its own, and its size in px. */
export interface InertSvg {
  readonly markup: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns markup of an SVG document that runs nothing, loads nothing and links to nothing, wherever it is pasted: only
 * known elements are kept. Returns undefined if there is no drawing in it.
 */
export function toInertSvg(markup: string, background: string): InertSvg | undefined {
  const svg = new DOMParser().parseFromString(markup, 'text/html').querySelector('svg');
  if (!(svg instanceof SVGSVGElement)) return undefined;
  cleanElement(svg);
  removeNestedReferences(svg);
  const { width, height } = svg.viewBox.baseVal;
  if (!(width > 0 && height > 0)) return undefined;
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  svg.style.maxWidth = '';
  svg.style.background = background;
  return { markup: new XMLSerializer().serializeToString(svg), width, height };
}

function cleanElement(element: Element): void {
  for (const child of [...element.childNodes]) {
    if (child instanceof Text) continue;
    if (!(child instanceof Element) || child.namespaceURI !== SVG) child.remove();
    else if (GROUPS.has(child.localName)) {
      const group = element.ownerDocument.createElementNS(SVG, 'g');
      for (const { name, value } of child.attributes) if (name !== 'href') group.setAttribute(name, value);
      group.append(...child.childNodes);
      child.replaceWith(group);
      cleanElement(group);
    } else if (ELEMENTS.has(child.localName)) cleanElement(child);
    else child.remove();
  }
  if (element instanceof SVGStyleElement) element.textContent = cleanStyleSheet(element.textContent);
  for (const { name, value } of [...element.attributes]) {
    if (name === 'style') {
      const { style } = element as SVGElement;
      cleanDeclarations(style);
      element.setAttribute('style', style.cssText);
    } else if (!isHarmless(name, value)) element.removeAttribute(name);
  }
}

/**
 * Removes each reference to an element with another reference in it: copies of copies can grow exponentially, as can
 * patterns in patterns. Gradients and filters copy nothing.
 */
function removeNestedReferences(svg: SVGSVGElement): void {
  const elements = [svg, ...svg.querySelectorAll('*')];
  const copied = elements.filter(({ id, localName }) => id !== '' && !UNCOPIED.has(localName));
  const copiedIds = new Set(copied.map(({ id }) => id));
  const holders = elements.filter((element) => hasReference(element, copiedIds));
  const ancestors = new Set<Element>();
  for (const holder of holders) {
    for (let at: Element | null = holder; at; at = at.parentElement) ancestors.add(at);
  }
  const nestedIds = new Set([...ancestors].map(({ id }) => id));
  for (const holder of holders) {
    if (!hasReference(holder, nestedIds)) continue;
    if (holder instanceof SVGUseElement) holder.remove();
    else {
      for (const { name, value } of [...holder.attributes])
        if (findReferences(name, value).length > 0) holder.removeAttribute(name);
    }
  }
  // A rule can apply to elements in patterns, too.
  for (const sheet of svg.querySelectorAll('style')) {
    sheet.textContent = sheet.textContent.replace(REFERENCE, (reference, id: string) =>
      copiedIds.has(id) || id.includes('%') ? 'none' : reference,
    );
  }
}

/** A browser decodes a percent-encoded ID, so one counts as any ID. */
function hasReference(element: Element, ids: ReadonlySet<string>): boolean {
  return [...element.attributes].some(({ name, value }) =>
    findReferences(name, value).some((id) => ids.has(id) || id.includes('%')),
  );
}

/** Returns the IDs of the elements that an attribute refers to. */
function findReferences(name: string, value: string): string[] {
  if (/href$/i.test(name)) return [value.slice(1)];
  if (PLAIN_ATTRIBUTE.test(name)) return [];
  return [...value.matchAll(REFERENCE)].map(([, id = '']) => id);
}

function isHarmless(name: string, value: string): boolean {
  if (/^on/i.test(name)) return false;
  if (/href$/i.test(name)) return value.startsWith('#');
  return PLAIN_ATTRIBUTE.test(name) || !LOADING_VALUE.test(value);
}

/** Returns the rules with selectors and the animations. The browser parses them, so that no escapes are left. */
function cleanStyleSheet(text: string): string {
  const sheet = new CSSStyleSheet();
  // Ignores `@import`.
  sheet.replaceSync(text);
  const rules = [...sheet.cssRules].flatMap((rule) => {
    if (rule instanceof CSSKeyframesRule) return LOADING_VALUE.test(rule.cssText) ? [] : [rule.cssText];
    if (!(rule instanceof CSSStyleRule)) return [];
    cleanDeclarations(rule.style);
    return [`${rule.selectorText} { ${rule.style.cssText} }`];
  });
  return rules.filter((rule) => !/<\/|@import/i.test(rule)).join('\n');
}

function cleanDeclarations(style: CSSStyleDeclaration): void {
  for (const name of [...style]) {
    // A custom property isn't parsed.
    if (name.startsWith('--') || LOADING_VALUE.test(style.getPropertyValue(name))) style.removeProperty(name);
  }
}
