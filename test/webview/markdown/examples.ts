import { readFileSync } from 'node:fs';
import path from 'node:path';
import commonmark from 'commonmark-spec';
import MarkdownIt from 'markdown-it';

export interface Example {
  readonly name: string;
  readonly markdown: string;
  /** The expected HTML, with raw HTML as text. */
  readonly html: string;
}

const data = path.join(__dirname, 'data');

/** The examples with `<del>`, `<br>` or a comment, which become nodes here instead of text. */
const withNodes = new Set([
  ...['168', '177', '179', '183', '308', '309', '625'].map((number) => `CommonMark ${number}`),
  ...['12', '22'].map((number) => `gfm-extensions.txt ${number}`),
]);

/**
 * The expected results for CommonMark's examples that differ here: GFM links bare addresses, and a class from a reply is
 * sanitized.
 */
const otherwise: Readonly<Record<number, string>> = {
  // A line with only a tag starts a paragraph here, and a tag closes at the end of its block.
  166: '<p><del> <em>foo</em> </del></p>',
  167: '<p><del></del></p><p><em>foo</em></p><p>&lt;/del&gt;</p>',
  144: '<pre><code></code></pre>',
  602: '<p>&lt;<a href="https://foo.bar/baz">https://foo.bar/baz</a> bim&gt;</p>',
  606: '<p>&lt;<a href="mailto:foo+@bar.example.com">foo+@bar.example.com</a>&gt;</p>',
  608: '<p>&lt; <a href="https://foo.bar">https://foo.bar</a> &gt;</p>',
  611: '<p><a href="https://example.com">https://example.com</a></p>',
  612: '<p><a href="mailto:foo@bar.example.com">foo@bar.example.com</a></p>',
};

/** The 652 examples of CommonMark's specification. */
export const commonMarkExamples: readonly Example[] = commonmark.tests.map(({ number, markdown, html }) =>
  createExample(`CommonMark ${number}`, markdown, otherwise[number] ?? html, 'commonmark'),
);

/** The examples of the GFM extensions that Parley renders: tables, task lists, strikethrough, autolinks. */
export const gfmExamples: readonly Example[] = ['gfm-spec.txt', 'gfm-extensions.txt'].flatMap((file) => {
  const text = readFileSync(path.join(data, file), 'utf8');
  const all = [...text.matchAll(/^`{32} example.*\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}$/gm)];
  return all
    .map(([, markdown = '', html = ''], index) => ({ name: `${file} ${index + 1}`, markdown, html }))
    .filter(({ markdown, html }) => !/\[\^/.test(markdown) && !html.includes('<IGNORE>'))
    .map(({ name, markdown, html }) => createExample(name, markdown, html, 'default'));
});

/**
 * The specification passes raw HTML through. For examples with raw HTML, markdown-it, which passes CommonMark's
 * tests, provides the expected result with the HTML as text.
 */
function createExample(
  name: string,
  source: string,
  specified: string,
  preset: 'commonmark' | 'default',
): Example {
  const markdown = source.replaceAll('→', '\t');
  const html = specified.replaceAll('→', '\t');
  const reference = new MarkdownIt(preset, { html: true });
  const { tokens, holdsHtml } = htmlTokens(reference, markdown);
  if (!holdsHtml || /^CommonMark 16[67]$/.test(name)) return { name, markdown, html };
  const format = withNodes.has(name) ? keepNodes : escapeHtml;
  reference.renderer.rules.html_block = (all, index) =>
    `<p>${format(all[index]?.content.trimEnd() ?? '')}</p>\n`;
  reference.renderer.rules.html_inline = (all, index) => format(all[index]?.content ?? '');
  return { name, markdown, html: reference.renderer.render(tokens, reference.options, {}) };
}

function htmlTokens(reference: ReturnType<typeof MarkdownIt>, markdown: string) {
  const tokens = reference.parse(markdown, {});
  const all = tokens.flatMap((token) => [token, ...(token.children ?? [])]);
  return { tokens, holdsHtml: all.some(({ type }) => type === 'html_block' || type === 'html_inline') };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Leaves tags and comments that become nodes, and escapes everything else. */
function keepNodes(html: string): string {
  return html.replace(/(<\/?del>|<br>|<!--[\s\S]*?-->)|[^<]+|</g, (part, node) => node ?? escapeHtml(part));
}
