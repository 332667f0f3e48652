import assert from 'node:assert/strict';
import type { AnyNode } from 'acorn';
import { getCalledName, type ParsedSource, parseSources, walk } from '../../scripts/l10n';

/** Properties, attributes and assigned fields whose value is shown or read aloud; `children` is JSX's content. */
const SHOWN_PROPERTIES = new Set(
  `alt aria-description aria-label aria-placeholder aria-roledescription aria-valuetext ariaLabel children description
  detail innerText label message openLabel placeHolder placeholder prompt saveLabel text textContent title tooltip`.split(
    /\s+/,
  ),
);
/** Functions whose string arguments are shown. */
const SHOWING_FUNCTIONS =
  /^(?:show\w*Message|showQuickPick|setStatusBarMessage|setAttribute|append|createTextNode|progress|markdown|\w*Refusal|MarkdownString)$/;
/**
 * Functions whose string arguments aren't shown untranslated: messages to translate, the log, errors for
 * programmers.
 */
const HIDING_FUNCTIONS = /^(?:t|plural|trace|debug|info|warn|error|\w*Error)$/;
/** Names that are the same in every language. */
const NAMES = /Parley|Markdown|HTML|JSON|https:\S+|\$\([\w~-]+\)/g;

/** Comparison operators, whose operands aren't the expression's value. */
const COMPARISON = /^[!=<>]/;

/** Literals that are in English on purpose. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // Names.
  'src/host/agents/agentConfigs.ts': ['Claude Code', 'Gemini CLI'],
  // For an agent's model.
  'src/host/agents/askBotTool.ts': [
    'To continue this conversation, pass the conversationId  .',
    'This reply is not complete.',
  ],
  // A name that is stored on the service.
  'src/host/documentSync/syncActions.ts': ['Documents of'],
  // Compared with Node's error message.
  'src/host/platform/nodeFetch.ts': ['Failed to establish a socket connection to proxies'],
  // A name.
  'src/host/service/baseUrlPicker.ts': ['Cody AI'],
};

/** Returns the text of a literal with a space for each placeholder; undefined for other nodes. */
function getLiteralText(node: AnyNode): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  return node.quasis.map(({ value }) => value.cooked ?? '').join(' ');
}

/** Returns the literals that can be the value of an expression. */
function findValues(node: AnyNode | null | undefined): string[] {
  switch (node?.type) {
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(findValues);
    case 'LogicalExpression':
    case 'BinaryExpression':
      return COMPARISON.test(node.operator) ? [] : [node.left, node.right].flatMap(findValues);
    case 'ArrowFunctionExpression':
      return findValues(node.body);
    case 'ArrayExpression':
      return node.elements.flatMap(findValues);
    default:
      return node ? [getLiteralText(node) ?? []].flat() : [];
  }
}

/** Returns the literals that a node shows to the user. */
function findShownTexts(node: AnyNode): string[] {
  if (node.type === 'Property') return isShown(getName(node.key)) ? findValues(node.value) : [];
  if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
    return isShown(getName(node.left.property)) ? findValues(node.right) : [];
  }
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return [];
  const called = getCalledName(node);
  if (called === undefined || !SHOWING_FUNCTIONS.test(called)) return [];
  const [name, value] = node.arguments;
  if (called === 'setAttribute') return name && isShown(getLiteralText(name)) ? findValues(value) : [];
  return node.arguments.flatMap(findValues);
}

function getName(key: AnyNode): string | undefined {
  return key.type === 'Identifier' ? key.name : getLiteralText(key);
}

function isShown(property: string | undefined): boolean {
  return property !== undefined && SHOWN_PROPERTIES.has(property);
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
function findUntranslated({ program }: ParsedSource): string[] {
  const found = new Set<string>();
  walk(program, (node) => {
    if (node.type === 'ImportDeclaration') return false;
    for (const text of findShownTexts(node)) if (hasWord(text)) found.add(text.trim());
    const text = getLiteralText(node);
    if (text !== undefined && isPhrase(text) && hasWord(text)) found.add(text.trim());
    const called = getCalledName(node);
    return called === undefined || !HIDING_FUNCTIONS.test(called);
  });
  return [...found];
}

describe('Literals in src/host and src/webview', () => {
  it('are translatable wherever they are shown', async () => {
    const untranslated: Record<string, readonly string[]> = {};
    for (const [name, source] of await parseSources()) {
      // The other folders contain only codes and errors for programmers.
      const found = /^src\/(?:host|webview)\//.test(name) ? findUntranslated(source) : [];
      if (found.length > 0) untranslated[name] = found;
    }
    assert.deepEqual(untranslated, EXCEPTIONS);
  });
});
