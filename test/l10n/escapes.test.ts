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
import { getCalledName, parseSources } from '../../scripts/l10n';

/** Properties, attributes and assigned fields whose value is shown or read aloud. */
const SHOWN_PROPERTIES = new Set(
  `alt aria-description aria-label aria-placeholder aria-roledescription aria-valuetext ariaLabel description detail
  innerText label message openLabel placeHolder placeholder prompt saveLabel text textContent title tooltip`.split(
    /\s+/,
  ),
);
/** Functions whose string arguments are shown. */
const SHOWING_FUNCTIONS =
  /^(?:show\w*Message|showQuickPick|setStatusBarMessage|setAttribute|append|createTextNode|progress|markdown|Refusal|MarkdownString)$/;
/**
 * Functions whose string arguments aren't shown untranslated: messages to translate, the log, errors for
 * programmers.
 */
const HIDING_FUNCTIONS = /^(?:t|plural|trace|debug|info|warn|error|\w*Error)$/;
/** Names that are the same in every language. */
const NAMES = /Parley|Markdown|JSON|https:\S+|\$\([\w~-]+\)/g;

/** Comparison operators, whose operands aren't the expression's value. */
const COMPARISON = /^[!=<>]/;

/** Literals that are in English on purpose. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // For an agent's model.
  'src/host/agents/askBotTool.ts': [
    'To continue this conversation, pass the conversationId  .',
    'This reply is not complete.',
  ],
  // Compared with Node's error message.
  'src/host/platform/nodeFetch.ts': ['Failed to establish a socket connection to proxies'],
};

/** Returns the text of a literal with a space for each placeholder; undefined for other nodes. */
function getLiteralText(node: Node): string | undefined {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isJsxText(node)) return node.text;
  if (!isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ');
}

/** Returns the literals that can be the value of an expression. */
function findValues(node: Node | undefined): string[] {
  if (!node) return [];
  if (isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(findValues);
  if (isBinaryExpression(node)) {
    if (COMPARISON.test(node.operatorToken.getText())) return [];
    return [node.left, node.right].flatMap(findValues);
  }
  if (isParenthesizedExpression(node) || isJsxExpression(node)) return findValues(node.expression);
  if (isArrowFunction(node)) return findValues(node.body);
  if (isArrayLiteralExpression(node)) return node.elements.flatMap(findValues);
  return [getLiteralText(node) ?? []].flat();
}

/** Returns the literals that a node shows to the user. */
function findShownTexts(node: Node): string[] {
  if (isJsxText(node)) return [node.text];
  if (isJsxElement(node)) return node.children.filter(isJsxExpression).flatMap(findValues);
  if (isJsxAttribute(node))
    return SHOWN_PROPERTIES.has(node.name.getText()) ? findValues(node.initializer) : [];
  if (isPropertyAssignment(node))
    return SHOWN_PROPERTIES.has(node.name.getText()) ? findValues(node.initializer) : [];
  if (isBinaryExpression(node) && isPropertyAccessExpression(node.left)) {
    return SHOWN_PROPERTIES.has(node.left.name.text) ? findValues(node.right) : [];
  }
  const called = getCalleeName(node);
  if (called === undefined || !SHOWING_FUNCTIONS.test(called)) return [];
  const { arguments: args = [] } = node as Node & { readonly arguments?: readonly Node[] };
  const [name] = args.map(getLiteralText);
  if (called === 'setAttribute')
    return name !== undefined && SHOWN_PROPERTIES.has(name) ? findValues(args[1]) : [];
  return args.flatMap(findValues);
}

function getCalleeName(node: Node): string | undefined {
  return isNewExpression(node) ? node.expression.getText().split('.').at(-1) : getCalledName(node);
}

/**
 * Whether a text has more than one word and is written like a sentence: with a capital at the start or
 * punctuation at the end.
 */
function isPhrase(text: string): boolean {
  return /\p{L}[,:]? \p{L}/u.test(text) && (/^\p{Lu}/u.test(text.trim()) || /[.!?…]$/.test(text.trim()));
}

function hasWord(text: string): boolean {
  return /\p{L}{2}/u.test(text.replace(NAMES, ''));
}

/** Returns the literals of a file that are shown but can't be translated. */
function findUntranslated(source: SourceFile): string[] {
  const found = new Set<string>();
  const visit = (node: Node): void => {
    if (isImportDeclaration(node) || isLiteralTypeNode(node)) return;
    for (const text of findShownTexts(node)) if (hasWord(text)) found.add(text.trim());
    const text = getLiteralText(node);
    if (text !== undefined && isPhrase(text) && hasWord(text)) found.add(text.trim());
    const called = getCalleeName(node);
    if (called !== undefined && HIDING_FUNCTIONS.test(called)) return;
    node.forEachChild(visit);
  };
  visit(source);
  return [...found];
}

describe('Literals in src/host and src/webview', () => {
  it('are translatable wherever they are shown', () => {
    const untranslated: Record<string, readonly string[]> = {};
    for (const [name, source] of parseSources()) {
      // The other folders contain only codes and errors for programmers.
      const found = /^src\/(?:host|webview)\//.test(name) ? findUntranslated(source) : [];
      if (found.length > 0) untranslated[name] = found;
    }
    assert.deepEqual(untranslated, EXCEPTIONS);
  });
});
