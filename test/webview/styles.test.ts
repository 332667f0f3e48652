import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../vscode/cacheDir';

const files = readdirSync(path.join(repositoryRoot, 'src/webview'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => `src/webview/${name.replaceAll(path.sep, '/')}`);

describe('colors', () => {
  for (const file of files) {
    it(`come from the theme: ${file}`, () => {
      const css = readFileSync(path.join(repositoryRoot, file), 'utf8');
      assert.deepEqual(findLiteralColors(css), []);
    });
  }

  it('are detected if one is hard-coded', () => {
    assert.deepEqual(findLiteralColors('a { color: red; border: 1px solid #fff }'), ['red', '#fff']);
    assert.deepEqual(findLiteralColors('a { background: var(--vscode-x, rgb(0 0 0)) }'), ['rgb(']);
    assert.deepEqual(findLiteralColors('a { color: var(--vscode-charts-red, transparent); }'), []);
  });
});

/** Returns the colors that a style sheet defines itself instead of using a variable. */
function findLiteralColors(css: string): string[] {
  const values = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/--[\w-]+(?=\s*[,)])/g, '');
  const declarations = [...values.matchAll(/[\w-]+\s*:\s*([^;{}]+)(?=[;}])/g)].map(([, value = '']) => value);
  const literal =
    /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(|(?<![\w-])(?:black|white|red|green|blue|gr[ae]y|silver|yellow|orange|purple|pink|brown|cyan|magenta|navy|teal|olive|maroon|lime|aqua|fuchsia|Canvas\w*|Highlight\w*|ButtonFace|LinkText)(?![\w-])/gi;
  return declarations.flatMap((value) => value.match(literal) ?? []);
}
