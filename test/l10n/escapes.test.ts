import assert from 'node:assert/strict';
import {
  isArrayLiteralExpression,
  isArrowFunction,
  isBinaryExpression,
  isConditionalExpression,
  isImportDeclaration,
  isJsxAttribute,
  isJsxElement,
  isJsxExpression,
  isJsxText,
  isLiteralTypeNode,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTemplateExpression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { calledName, parseSources } from '../../scripts/l10n';

/** Properties, attributes and assigned fields whose value a person reads or hears. */
const SHOWN = new Set(
  `alt aria-description aria-label aria-placeholder aria-roledescription aria-valuetext ariaLabel description detail
  innerText label message openLabel placeHolder placeholder prompt saveLabel text textContent title tooltip`.split(
    /\s+/,
  ),
);
/** What is called with words that a person reads. */
const SHOWS =
  /^(?:show\w*Message|showQuickPick|setStatusBarMessage|setAttribute|append|createTextNode|progress|markdown|Refusal|MarkdownString)$/;
/** What is called with words that nobody else reads: messages to translate, the log, errors for programmers. */
const HIDES = /^(?:t|plural|trace|debug|info|warn|error|\w*Error)$/;
/** The same in every language. */
const NAMES = /Parley|Markdown|JSON|https:\S+|\$\([\w~-]+\)/g;

/** What compares comes to no words. */
const COMPARES = /^[!=<>]/;

/** What is in English on purpose, and why. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // An agent's model reads it.
  'src/host/agents/askBotTool.ts': [
    'To continue this conversation, pass the conversationId  .',
    'This reply is not complete.',
  ],
  // Node says it.
  'src/host/platform/nodeFetch.ts': ['Failed to establish a socket connection to proxies'],
};

/** What a literal says, with a space for what it is told; nothing of other expressions. */
function literalText(node: Node): string | undefined {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isJsxText(node)) return node.text;
  if (!isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ');
}

/** The literals that an expression may come to. */
function outcomes(node: Node | undefined): string[] {
  if (!node) return [];
  if (isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(outcomes);
  if (isBinaryExpression(node)) {
    if (COMPARES.test(node.operatorToken.getText())) return [];
    return [node.left, node.right].flatMap(outcomes);
  }
  if (isParenthesizedExpression(node) || isJsxExpression(node)) return outcomes(node.expression);
  if (isArrowFunction(node)) return outcomes(node.body);
  if (isArrayLiteralExpression(node)) return node.elements.flatMap(outcomes);
  return [literalText(node) ?? []].flat();
}

/** The literals that a node puts before a person. */
function shownBy(node: Node): string[] {
  if (isJsxText(node)) return [node.text];
  if (isJsxElement(node)) return node.children.filter(isJsxExpression).flatMap(outcomes);
  if (isJsxAttribute(node)) return SHOWN.has(node.name.getText()) ? outcomes(node.initializer) : [];
  if (isPropertyAssignment(node)) return SHOWN.has(node.name.getText()) ? outcomes(node.initializer) : [];
  if (isBinaryExpression(node) && isPropertyAccessExpression(node.left)) {
    return SHOWN.has(node.left.name.text) ? outcomes(node.right) : [];
  }
  const called = calledOrMade(node);
  if (called === undefined || !SHOWS.test(called)) return [];
  const { arguments: given = [] } = node as Node & { readonly arguments?: readonly Node[] };
  const [name] = given.map(literalText);
  if (called === 'setAttribute') return name !== undefined && SHOWN.has(name) ? outcomes(given[1]) : [];
  return given.flatMap(outcomes);
}

function calledOrMade(node: Node): string | undefined {
  return isNewExpression(node) ? node.expression.getText().split('.').at(-1) : calledName(node);
}

/** More than a word, and written as people write: it begins with a capital or ends as a sentence does. */
function isPhrase(text: string): boolean {
  return /\p{L}[,:]? \p{L}/u.test(text) && (/^\p{Lu}/u.test(text.trim()) || /[.!?…]$/.test(text.trim()));
}

function hasWord(text: string): boolean {
  return /\p{L}{2}/u.test(text.replace(NAMES, ''));
}

/** The literals of a file that people read and nobody can translate. */
function escapesIn(source: SourceFile): string[] {
  const found = new Set<string>();
  const visit = (node: Node): void => {
    if (isImportDeclaration(node) || isLiteralTypeNode(node)) return;
    for (const text of shownBy(node)) if (hasWord(text)) found.add(text.trim());
    const text = literalText(node);
    if (text !== undefined && isPhrase(text) && hasWord(text)) found.add(text.trim());
    const called = calledOrMade(node);
    if (called !== undefined && HIDES.test(called)) return;
    node.forEachChild(visit);
  };
  visit(source);
  return [...found];
}

describe('Literals', () => {
  it('are translated wherever a person reads them', () => {
    const escapes: Record<string, readonly string[]> = {};
    for (const [name, source] of parseSources()) {
      // The others say codes, and errors for programmers.
      const found = /^src\/(?:host|webview)\//.test(name) ? escapesIn(source) : [];
      if (found.length > 0) escapes[name] = found;
    }
    assert.deepEqual(escapes, EXCEPTIONS);
  });
});
