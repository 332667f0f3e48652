import temml from 'temml';
import { escapeBidi } from '../../shared/text/escapeInvisible';
import { t } from '../base/l10n';
import type { Formula } from './formula';
import { checkFormula } from './formulaLimits';

/** A node of Temml's tree: an element, a text, or a group of nodes. */
interface TreeNode {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly classes?: readonly string[];
  readonly style?: Readonly<Record<string, string | number>>;
  readonly children?: readonly TreeNode[];
}

const MATHML = 'http://www.w3.org/1998/Math/MathML';
const ELEMENTS = new Set(
  `math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom menclose msub msup msubsup munder
  mover munderover mmultiscripts mprescripts none mtable mtr mtd`.split(/\s+/),
);
const ATTRIBUTES = new Set(
  `accent accentunder columnalign columnspacing depth display displaystyle fence form height largeop linethickness
  lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowspacing rspace
  scriptlevel separator stretchy symmetric voffset width`.split(/\s+/),
);
const STYLES =
  /^(?:padding|border|margin|font)(?:-[a-z]+)*$|^(?:width|height|color|text-align|math-depth|transform|position|left|right|bottom)$/;

/** Formulas with more or deeper nodes are left as their source. */
const MAX_NODES = 10_000;
const MAX_DEPTH = 100;
/** Maximum length in a formula, in em and points. */
const MAX_SIZE: [number, number] = [30, 300];

/**
 * Replaces a formula's source by MathML. If that fails, the source stays, with the reason as its tooltip (Temml's own
 * messages are in English).
 */
export function drawFormula({ element, tex, display }: Formula): void {
  let math: Node;
  try {
    math = new Builder().build(parseTree(tex, display), 0);
  } catch (error) {
    // Temml marks the position in its message with combining underlines.
    element.title = String(error instanceof Error ? error.message : error).replace(/\u0332/g, '');
    return;
  }
  // The source is used when the formula is copied.
  element.dataset.source = element.textContent ?? '';
  element.replaceChildren(math);
  element.classList.add('md-drawn');
  // Focusable, so that wide formulas can be scrolled by keyboard.
  if (display) element.tabIndex = 0;
}

function parseTree(tex: string, display: boolean): TreeNode {
  checkFormula(tex);
  return temml.__renderToMathMLTree(tex, {
    displayMode: display,
    throwOnError: true,
    trust: false,
    wrap: 'tex',
    maxSize: MAX_SIZE,
    maxExpand: 1_000,
  });
}

/** Builds DOM nodes from Temml's tree, allowing only known elements and attributes. */
class Builder {
  #count = 0;

  /** Throws a RangeError if the tree is too large or contains something not allowed in a formula. */
  build(node: TreeNode, depth: number): Node {
    if (++this.#count > MAX_NODES || depth > MAX_DEPTH) throw new RangeError(t('The formula is too large.'));
    // `\char` creates any character.
    if (node.text !== undefined) return document.createTextNode(escapeBidi(node.text));
    const parent = node.type === undefined ? createGroup(node) : createElement(node, node.type);
    for (const child of node.children ?? []) parent.appendChild(this.build(child, depth + 1));
    return parent;
  }
}

/** Only groups of nodes have neither type nor attributes; links and images have some. */
function createGroup(node: TreeNode): Node {
  if (node.attributes || !node.children) throw new RangeError(t('The formula contains a link or an image.'));
  return document.createDocumentFragment();
}

function createElement({ attributes, classes, style }: TreeNode, type: string): Node {
  if (!ELEMENTS.has(type)) throw new RangeError(t('The formula contains <{0}>.', type));
  const element = document.createElementNS(MATHML, type) as MathMLElement;
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (ATTRIBUTES.has(name)) element.setAttribute(name, `${value}`);
    else if (name === 'style') setStyles(element, `${value}`);
  }
  for (const name of classes ?? []) if (name !== '') element.classList.add(name);
  for (const [name, value] of Object.entries(style ?? {})) {
    setStyle(
      element,
      name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      `${value}`,
    );
  }
  return element;
}

/** The page's content policy allows scripts to set style properties but not style attributes. */
function setStyles(element: MathMLElement, declarations: string): void {
  for (const declaration of declarations.split(';')) {
    const [name = '', value = ''] = declaration.split(':');
    setStyle(element, name.trim(), value.trim());
  }
}

function setStyle(element: MathMLElement, name: string, value: string): void {
  if (STYLES.test(name)) element.style.setProperty(name, value);
}
