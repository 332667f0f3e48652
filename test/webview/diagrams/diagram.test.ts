import assert from 'node:assert/strict';
import axe from 'axe-core';
import { PNG } from 'pngjs';
import { MAX_DIAGRAM_LENGTH } from '../../../src/shared/protocol/diagram';
import { repeat } from '../../support/repetition';
import { type Theme, themes } from '../support/themes';
import { type DiagramPage, openDiagramPage } from './diagramPage';

const FLOWCHART = 'flowchart TD\n  A[Start] --> B{Ready?}\n  B -- yes --> C[Send]\n  B -- no --> A\n';

describe('A diagram’s tab', () => {
  let tab: DiagramPage;
  before(async () => {
    tab = await openDiagramPage('dark');
  });
  after(() => tab.close());
  afterEach(() => assert.deepEqual(tab.strays, []));

  const button = (name: string) => tab.page.getByRole('button', { name });
  const image = () => tab.page.getByRole('img', { name: 'Diagram' });
  const getWidth = async () => (await image().boundingBox())?.width ?? 0;
  /** Returns the markup that Copy as SVG copies. */
  const copySvg = async () => {
    await button('Copy as SVG').click();
    return tab.page.evaluate(() => {
      const last = window.posted.at(-1);
      return last?.type === 'copySvg' ? last.text : '';
    });
  };

  /** Returns markup without the text that it shows, which may contain anything. */
  const removeTexts = (svg: string) =>
    tab.page.evaluate((markup) => {
      if (markup === '') return '';
      const parsed = new DOMParser().parseFromString(markup, 'image/svg+xml');
      if (parsed.querySelector('parsererror')) throw new Error('The markup is not well-formed.');
      for (const text of parsed.querySelectorAll('text, tspan, title, desc')) {
        for (const node of [...text.childNodes]) if (node instanceof Text) node.remove();
      }
      return new XMLSerializer().serializeToString(parsed);
    }, svg);

  for (const [name, source] of Object.entries({
    flowchart: FLOWCHART,
    sequence: 'sequenceDiagram\n  Alice->>Bob: Hello\n  Bob-->>Alice: Hi\n',
    class: 'classDiagram\n  Animal <|-- Duck\n  Animal : +int age\n',
    state: 'stateDiagram-v2\n  [*] --> Still\n  Still --> Moving\n',
    pie: 'pie title Pets\n  "Dogs" : 3\n  "Cats" : 2\n',
    gantt: 'gantt\n  title Plan\n  section A\n  Task :a1, 2026-01-01, 3d\n',
    mindmap: 'mindmap\n  root((Idea))\n    One\n    Two\n',
  })) {
    it(`draws a ${name} diagram with its texts`, async () => {
      await tab.draw(source);
      await image().waitFor();
      const svg = await copySvg();
      const text = { flowchart: 'Start', sequence: 'Hello', class: 'Duck', state: 'Moving', pie: 'Dogs' }[
        name
      ];
      assert.ok(svg.includes(text ?? { gantt: 'Task', mindmap: 'Idea' }[name] ?? '?'), svg.slice(0, 500));
      assert.ok((await getWidth()) > 20);
    });
  }

  it('draws before the page draws its next frame', async () => {
    await tab.draw(' ');
    await tab.page.evaluate(async (source) => {
      // The page draws no frame while it waits for this callback.
      const transition = document.startViewTransition(async () => {
        window.posted.length = 0;
        window.postMessage({ type: 'diagram', source }, '*');
        while (window.posted.length === 0) await new Promise((resume) => setTimeout(resume, 20));
      });
      await transition.updateCallbackDone;
    }, FLOWCHART);
    await image().waitFor();
  });

  it('shows Mermaid’s message if the source is wrong, and draws the next one', async () => {
    await tab.draw('flowchart TD\n  A[');
    const problem = tab.page.getByRole('alert');
    await problem.getByText('Couldn’t draw the diagram.').waitFor();
    assert.match(await problem.locator('pre').innerText(), /Parse error on line 3/);
    assert.equal(await button('Copy as SVG').count(), 0);
    await tab.draw(FLOWCHART);
    await image().waitFor();
  });

  it('does not draw an empty source, or one that is too long', async () => {
    await tab.draw(' \n');
    await tab.page.getByText('The diagram is empty.').waitFor();
    await tab.draw(FLOWCHART.padEnd(MAX_DIAGRAM_LENGTH + 1));
    await tab.page.getByText('The diagram is 50,001 characters long; the limit is 50,000.').waitFor();
  });

  it('refuses a diagram of more than 500 edges', async () => {
    const edges = Array.from({ length: 501 }, (_, index) => `  a${index} --> b${index}`);
    await tab.draw(`flowchart TD\n${edges.join('\n')}`);
    assert.match(await tab.page.getByRole('alert').innerText(), /[Tt]oo many edges|Edge limit exceeded/);
  });

  it('zooms with the keyboard and its buttons, pans with the arrow keys and by dragging, and fits again', async () => {
    await tab.draw(FLOWCHART);
    const stage = tab.page.getByRole('region', { name: 'Diagram' });
    const fitted = await getWidth();
    await stage.focus();
    for (let press = 0; press < 8; press++) await stage.press('+');
    const zoomed = await getWidth();
    assert.ok(zoomed > 4 * fitted, `${zoomed} from ${fitted}`);
    const top = () => stage.evaluate((it) => it.scrollTop);
    const undragged = await top();
    await tab.page.mouse.move(250, 200);
    await tab.page.mouse.down();
    await tab.page.mouse.move(250, 150, { steps: 5 });
    await tab.page.mouse.up();
    const before = await top();
    assert.equal(before - undragged, 50);
    await stage.press('ArrowDown');
    await tab.page.waitForFunction(
      (from) => (document.querySelector('.stage')?.scrollTop ?? 0) > from,
      before,
    );
    await stage.press('-');
    assert.ok((await getWidth()) < zoomed);
    await button('Zoom to Fit').click();
    assert.equal(await getWidth(), fitted);
    await button('Zoom In').click();
    assert.ok((await getWidth()) > fitted);
    await stage.press('0');
    assert.equal(await getWidth(), fitted);
  });

  it('copies a PNG image of twice the size', async () => {
    await tab.draw(FLOWCHART);
    const [, width] = /width="([\d.]+)"/.exec(await copySvg()) ?? [];
    const dataUrl = await tab.page.evaluate(async () => {
      const last = window.posted.at(-1);
      const markup = last?.type === 'copySvg' ? last.text : '';
      const svg = window.exposed.toInertSvg(markup, '#123456');
      if (!svg) return '';
      const reader = new FileReader();
      reader.readAsDataURL(await window.exposed.createPng(svg));
      await new Promise((loaded) => reader.addEventListener('load', loaded));
      return String(reader.result);
    });
    const png = PNG.sync.read(Buffer.from(dataUrl.replace(/^.*,/, ''), 'base64'));
    assert.equal(png.width, Math.round(2 * Number(width)));
    assert.deepEqual([...png.data.subarray(0, 4)], [0x12, 0x34, 0x56, 255]);
    // Replaces the status of the first copy.
    await tab.draw(FLOWCHART);
    await button('Copy as PNG').click();
    await tab.page.getByText('Copied').waitFor({ state: 'attached' });
    const types = await tab.page.evaluate(async () =>
      (await navigator.clipboard.read()).flatMap(({ types }) => types),
    );
    assert.deepEqual(types, ['image/png']);
  });

  it('draws again in the colors of another theme, and keeps the zoom', async () => {
    await tab.draw(FLOWCHART);
    assert.match(await copySvg(), /background: rgb\(31, 31, 31\)/);
    await button('Zoom In').click();
    const zoomed = await getWidth();
    await tab.page.evaluate(() => {
      window.posted.length = 0;
      document.documentElement.style.setProperty('--vscode-editor-background', '#fafafa');
      document.body.className = 'vscode-light';
    });
    await tab.page.waitForFunction(() => window.posted.length === 1);
    assert.match(await copySvg(), /background: rgb\(250, 250, 250\)/);
    assert.ok(Math.abs((await getWidth()) - zoomed) < 1);
    await button('Zoom to Fit').click();
  });

  it('stops a drawing that never ends, and stays usable [attack: diagram]', async () => {
    const response = await tab.page.evaluate(() =>
      window.exposed.drawDiagram(
        { source: '', isDark: false, themeVariables: {} },
        { rendererScript: 'addEventListener("message", () => { for (;;); });', timeLimitMs: 300 },
      ),
    );
    assert.equal(response, 'timeout');
    await tab.draw(FLOWCHART);
    await image().waitFor();
  });

  it('stops a drawing after ten seconds', async () => {
    // tsx adds its own helper to a function.
    await tab.page.evaluate('globalThis.__name = (target) => target');
    const result = await tab.page.evaluate(async () => {
      const { setTimeout: start } = window;
      const started = new Promise<{ end: () => void; ms: number }>((resolve) => {
        Object.assign(window, { setTimeout: (end: () => void, ms: number) => resolve({ end, ms }) });
      });
      const response = window.exposed.drawDiagram(
        { source: '', isDark: false, themeVariables: {} },
        { rendererScript: '' },
      );
      const { end, ms } = await started;
      Object.assign(window, { setTimeout: start });
      end();
      return [ms, await response];
    });
    assert.deepEqual(result, [10_000, 'timeout']);
  });

  it('draws in a frame that reaches neither the page nor the network [attack: diagram]', async () => {
    const response = await tab.page.evaluate(() => {
      const rendererScript = `addEventListener('message', async () => {
        const attempt = async (run) => { try { await run(); return 'done'; } catch (error) { return error.name; } };
        const results = [
          await attempt(() => parent.document.body),
          await attempt(() => localStorage.length),
          await attempt(() => parent.acquireVsCodeApi()),
          await attempt(() => fetch('https://diagram.test/stolen')),
          await attempt(() => new Function('return 1')),
          await attempt(() => { throw new RangeError(origin); }),
        ];
        parent.postMessage({ error: results.join() + ' ' + origin }, '*');
      });`;
      return window.exposed.drawDiagram(
        { source: '', isDark: false, themeVariables: {} },
        { rendererScript },
      );
    });
    assert.deepEqual(response, {
      error: 'SecurityError,SecurityError,SecurityError,TypeError,EvalError,RangeError null',
    });
  });

  // Drawing takes a process for each, so that a diagram has all that its kind can have.
  const hostileDiagrams = {
    'labels, links and calls of a flowchart': [
      'flowchart TD',
      '  A["<script>window.hacked=1</script>x"] --> B["<img src=https://evil.test/x onerror=window.hacked=1>"]',
      '  B --> C',
      '  click A href "javascript:window.hacked=1" _top',
      '  click B "https://evil.test/" "tip"',
      '  click C call alert(1)',
    ],
    'loose directives, and style sheets that load': [
      '%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}}}%%',
      '%%{init: {"themeCSS": "@import url(https://evil.test/a.css);", "fontFamily": "x; } @import url(https://evil.test/b.css); {"}}%%',
      'flowchart TD',
      '  A["<b onclick=x>bold</b>"] --> B',
    ],
    'links and notes of a sequence': [
      'sequenceDiagram',
      '  participant A',
      '  link A: Evil @ javascript:window.hacked=1',
      '  A->>A: x',
      '  Note over A: <iframe src=javascript:window.hacked=1></iframe>',
    ],
  };
  const refusedDiagrams = {
    'a style that loads': 'flowchart TD\n  A --> B\n  style A fill:url(https://evil.test/x)',
    'theme variables that load':
      '---\nconfig:\n  theme: base\n  themeVariables:\n    primaryColor: "red; background: url(https://evil.test/z)"\n---\nflowchart TD\n  A --> B',
    'an image shape': 'flowchart TD\n  A@{ img: "https://evil.test/x.png", label: "x" } --> B',
  };
  for (const [name, lines] of Object.entries(hostileDiagrams)) {
    it(`shows and copies nothing that runs, loads or links: ${name} [attack: diagram]`, async () => {
      await tab.draw(lines.join('\n'));
      assert.equal(await image().count(), 1);
      assert.doesNotMatch(await removeTexts(await copySvg()), DANGEROUS);
      assert.equal(await tab.page.evaluate(() => 'hacked' in window), false);
      assert.equal(await tab.page.locator('iframe').count(), 0);
    });
  }

  for (const [name, source] of Object.entries(refusedDiagrams)) {
    it(`doesn’t draw ${name} [attack: diagram]`, async () => {
      await tab.draw(source);
      await tab.page.getByRole('alert').waitFor();
      assert.equal(await image().count(), 0);
    });
  }

  const hostileMarkup = [
    '<script>1</script>',
    '<a href="javascript:alert(1)"><text>x</text></a>',
    '<a xlink:href="https://evil.test"><text>x</text></a>',
    '<rect onclick="alert(1)" width="1" height="1"/>',
    '<image href="https://evil.test/x.png"/>',
    '<use href="https://evil.test/x.svg#a"/>',
    '<use xlink:href="data:image/svg+xml,x#a"/>',
    '<foreignObject><div onclick=x><iframe src="javascript:1"></iframe></div></foreignObject>',
    '<animate attributeName="href" to="javascript:1"/><set attributeName="onclick" to="1"/>',
    '<style>@import "https://evil.test/a.css"; rect { fill: url(https://evil.test/x) }</style>',
    '<style>rect { fill: u\\72l(https://evil.test/x); --x: url(https://evil.test/y) }</style>',
    '<style>@font-face { font-family: x; src: url(https://evil.test/f) } @media all { a { fill: url("//evil.test") } }</style>',
    '<style>a { background: image-set("https://evil.test/x" 1x) } b::before { content: "</style><script>1</script>" }</style>',
    '<rect style="fill: url(https://evil.test/x); background: url(https://evil.test/y)"/>',
    '<rect fill="u\\72l(https://evil.test/x)" filter="url(https://evil.test/f#a)"/>',
    '<text>&lt;script&gt;</text><desc><script>1</script></desc>',
    '<metadata><script>1</script></metadata><handler>1</handler><embed src="x"/><object data="x"/>',
    '<math><mtext><script>1</script></mtext></math>',
  ];
  for (const markup of hostileMarkup) {
    it(`makes markup inert: ${markup} [attack: diagram]`, async () => {
      const result = await tab.page.evaluate(
        (inner) => window.exposed.toInertSvg(`<svg viewBox="0 0 10 10">${inner}</svg>`, 'red')?.markup,
        markup,
      );
      assert.match(result ?? '', /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      assert.doesNotMatch(await removeTexts(result ?? ''), DANGEROUS);
    });
  }

  it('removes uses of uses, which can grow exponentially [attack: diagram]', async () => {
    const result = await tab.page.evaluate(
      (content) =>
        window.exposed.toInertSvg(`<svg id="s" viewBox="0 0 10 10">${content}</svg>`, 'red')?.markup,
      `<rect id="a"/><g id="b"><use href="#a"/></g><g id="c"><use href="#b"/><use href="#%62"/></g><use xlink:href="#c"/><use href="#s"/>`,
    );
    assert.deepEqual(result?.match(/<use[^>]*>/g), ['<use href="#a"/>']);
  });

  it('removes patterns in patterns, and the like, which can grow exponentially', async () => {
    const result = await tab.page.evaluate(
      (content) => window.exposed.toInertSvg(`<svg viewBox="0 0 10 10">${content}</svg>`, 'red')?.markup,
      '<style>.a { mask: url(#leaf); fill: url("#gradient"); stroke: url(#%6ceaf) }</style>' +
        '<linearGradient id="gradient"/><pattern id="leaf"><rect fill="url(#gradient)"/></pattern>' +
        '<mask id="one"><rect class="one" fill="url(#leaf)"/></mask>' +
        '<mask id="two"><rect class="two" style="mask: u\\72l(#\\6fne)"/></mask>' +
        `<g class="three" clip-path='url( "#two" )'/><g class="four" mask="url(#%74wo)"/>`,
    );
    const references = (result ?? '').match(/url\([^)]*\)/g);
    assert.deepEqual(references, ['url("#gradient")', 'url(#gradient)', 'url(#leaf)'], result);
  });

  it('keeps markers, gradients, classes and style sheets of a drawing', async () => {
    const inner =
      '<style>#a .b { fill: rgb(1, 2, 3); filter: url("#f"); }</style><defs><marker id="m"><path d="M0 0"></path></marker></defs>' +
      '<path class="b" marker-end="url(#m)" d="M0 0L1 1"></path><use href="#m"></use>';
    const result = await tab.page.evaluate(
      (content) => window.exposed.toInertSvg(`<svg viewBox="0 0 10 10">${content}</svg>`, 'red')?.markup,
      inner,
    );
    for (const part of [
      'fill: rgb(1, 2, 3)',
      'filter: url("#f")',
      'marker-end="url(#m)"',
      'class="b"',
      'href="#m"',
    ])
      assert.ok(result?.includes(part), part);
  });

  for (const theme of repeat<readonly Theme[]>(['hcLight'], themes)) {
    it(`has no accessibility problems: ${theme}`, async () => {
      const other = await openDiagramPage(theme, { width: 300, height: 300 });
      try {
        await other.draw(FLOWCHART);
        const check = () =>
          other.page.evaluate(async () => {
            const { axe: checker } = window as unknown as { axe: typeof axe };
            return (await checker.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
          });
        await other.page.evaluate(axe.source.replace(/^/, 'void 0;'));
        assert.deepEqual(await check(), []);
        if (process.env.PARLEY_SCREENSHOTS) {
          await other.page.screenshot({ path: `${process.env.PARLEY_SCREENSHOTS}/diagram-${theme}.png` });
        }
        await other.draw('flowchart TD\n  A[');
        assert.deepEqual(await check(), []);
      } finally {
        await other.close();
      }
    });
  }
});

/** What runs, loads or links, in serialized markup. */
const DANGEROUS =
  /<script|<image|<foreignObject|<iframe|<a\b|<animate|<set\b|<embed|<object|\son\w+=|javascript:|evil\.test|@import|image-set/i;
