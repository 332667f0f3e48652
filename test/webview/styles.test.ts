import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../vscode/cacheDir';
import { Panel } from './support/panel';
import { leaveScene, scenes, showScene } from './support/scenes';

const folders = ['src/webview/styles', 'src/webview/markdown'];
const files = folders.flatMap((folder) =>
  readdirSync(path.join(repositoryRoot, folder))
    .filter((name) => name.endsWith('.css'))
    .map((name) => `${folder}/${name}`),
);

describe('colours', () => {
  for (const file of files) {
    it(`come from the theme: ${file}`, () => {
      const css = readFileSync(path.join(repositoryRoot, file), 'utf8');
      assert.deepEqual(literalColours(css), []);
    });
  }

  it('are found where one is written down', () => {
    assert.deepEqual(literalColours('a { color: red; border: 1px solid #fff }'), ['red', '#fff']);
    assert.deepEqual(literalColours('a { background: var(--vscode-x, rgb(0 0 0)) }'), ['rgb(']);
    assert.deepEqual(literalColours('a { color: var(--vscode-charts-red, transparent); }'), []);
  });
});

/** Colours that a sheet gives itself, rather than take them from a variable. */
function literalColours(css: string): string[] {
  const values = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/--[\w-]+(?=\s*[,)])/g, '');
  const declarations = [...values.matchAll(/[\w-]+\s*:\s*([^;{}]+)(?=[;}])/g)].map(([, value = '']) => value);
  const literal =
    /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(|(?<![\w-])(?:black|white|red|green|blue|gr[ae]y|silver|yellow|orange|purple|pink|brown|cyan|magenta|navy|teal|olive|maroon|lime|aqua|fuchsia|Canvas\w*|Highlight\w*|ButtonFace|LinkText)(?![\w-])/gi;
  return declarations.flatMap((value) => value.match(literal) ?? []);
}

for (const theme of ['hcDark', 'hcLight'] as const) {
  describe(`focus, ${theme}`, () => {
    let panel: Panel;

    before(async () => {
      panel = await Panel.open({ theme, width: 420, height: 800, reducedMotion: 'reduce' });
    });
    after(async () => {
      assert.deepEqual(panel.errors, []);
      await panel.close();
    });

    for (const [name, scene] of Object.entries(scenes)) {
      it(`is seen on every control: ${name}`, async () => {
        await showScene(panel, scene);
        const unseen: string[] = [];
        const visited = new Set<string>();
        // Once round: past the last stop the page has no focus, and from there Tab goes to the first.
        for (let ends = 0; ends < 2; ) {
          await panel.page.keyboard.press('Tab');
          const { control, isSeen } = await panel.page.evaluate(focusRing);
          if (control === undefined) {
            ends++;
            continue;
          }
          if (visited.has(control)) break;
          visited.add(control);
          if (!isSeen) unseen.push(control);
        }
        assert.deepEqual(unseen, []);
        assert.ok(visited.size > 0);
        await leaveScene(panel);
      });
    }
  });
}

/** What has the focus, and whether a ring in the theme's colour is around it, or around what it stands in for. */
function focusRing(): { control?: string; isSeen: boolean } {
  const focused = document.activeElement as HTMLElement | null;
  if (!focused || focused === document.body) return { isSeen: true };
  const probe = document.createElement('i');
  probe.style.color = 'var(--vscode-focusBorder)';
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  const hasRing = (element: Element | null): boolean => {
    if (!element) return false;
    const { outlineStyle, outlineColor, outlineWidth, borderTopColor, opacity } = getComputedStyle(element);
    const outline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && outlineColor === color;
    // A text box has it on its frame.
    return (
      opacity !== '0' && (outline || (element.matches('.composer, .list-filter') && borderTopColor === color))
    );
  };
  const { left, top } = focused.getBoundingClientRect();
  const name = focused.ariaLabel ?? focused.textContent?.slice(0, 20);
  return {
    control: `${focused.localName}.${focused.className} ${name} at ${Math.round(left)}, ${Math.round(top)}`,
    isSeen:
      hasRing(focused) ||
      (focused.matches('textarea, .list-filter') && hasRing(focused.closest('.composer') ?? focused)),
  };
}
