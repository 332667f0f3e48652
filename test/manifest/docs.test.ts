import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { GOALS } from '../../scripts/benchGoals';
import { repositoryRoot } from '../vscode/cacheDir';

/** Folders that the paths in a page may start at, besides the repository's and the page's own. */
const BASE_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'docs/architecture.md': ['src'],
  'docs/store.md': ['src/chat/store', 'test/chat/store', 'test/e2e'],
  'docs/markdown.md': ['src/shared/markdown', 'src/webview/markdown', 'test/webview/markdown'],
};

/** What is bold in the users' pages but isn't a text of Parley: VS Code's own names, keys, and words that are stressed. */
const OTHER_BOLD_TEXTS = [
  ...['Cody AI', 'Guide', 'Extensions: Install from VSIX', 'Help: Report Issue', 'Welcome: Open Walkthrough'],
  ...['Preferences: Open Keyboard Shortcuts', 'Go to Next Commented Range', 'Execute Using Profile', 'Test:'],
  ...['+', 'Enter', 'Escape', '`#parley`', '`@parley`', 'Install', 'Choose a bot', 'set-up link'],
  ...['Quotation marks', 'A phrase', 'A regular expression', 'Before a run, Parley says what it costs'],
  "Chat can go back, a bot's memory can't.",
];

/** The pages for people who use Parley. */
const USER_PAGES = [
  ...['README.md', 'docs/handbook.md', 'docs/accessibility.md', 'docs/bot-tests.md', 'docs/reviews.md'],
  ...['docs/earlier-answers.md', 'docs/changed-sources.md', 'docs/document-sync.md'],
];

describe('The documentation', () => {
  it('names in bold only commands, buttons and other texts that Parley has', async () => {
    const texts = await Promise.all(
      ['l10n/bundle.l10n.json', 'package.nls.json'].map(async (name) =>
        Object.values<string>(JSON.parse(await readFile(path.join(repositoryRoot, name), 'utf8'))),
      ),
    );
    const toName = (text: string) => text.replace(/\s+/g, ' ').replace('…', '').trim();
    const known = new Set([...texts.flat().map(toName), ...OTHER_BOLD_TEXTS]);
    const unknown: string[] = [];
    for (const page of USER_PAGES) {
      const text = await readFile(path.join(repositoryRoot, page), 'utf8');
      for (const [, bold = ''] of text.replace(/```.*?```/gs, '').matchAll(/\*\*([^*]+)\*\*/g)) {
        const name = toName(bold).replace(/^Parley: /, '');
        if (!known.has(name)) unknown.push(`${page}: ${name}`);
      }
    }
    assert.deepEqual(unknown, []);
  });

  it('lists all performance goals, each with a figure of the same run', async () => {
    const text = await readFile(path.join(repositoryRoot, 'docs/performance.md'), 'utf8');
    const [, table = ''] = text.split(/<!-- \/?goals -->/);
    const rows = [...table.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \| (yes|no) \|$/gm)];
    assert.deepEqual(
      rows.map(([, what, , max]) => [what, max]),
      GOALS.map(({ what, unit, max }) => [what, `${max.toLocaleString('en')} ${unit}`.trim()]),
    );
  });

  it('names only files and folders that exist', async () => {
    const top = (await readdir(repositoryRoot)).filter((name) => name.endsWith('.md'));
    const docs = (await readdir(path.join(repositoryRoot, 'docs'))).filter((name) => name.endsWith('.md'));
    const pages = [...top, ...docs.map((name) => `docs/${name}`), 'test/service/README.md'];
    const missing: string[] = [];
    for (const page of pages) {
      const text = await readFile(path.join(repositoryRoot, page), 'utf8');
      const bases = ['.', path.dirname(page), ...(BASE_FOLDERS[page] ?? [])];
      for (const name of findPaths(text, page in BASE_FOLDERS)) {
        const exists = bases.some((base) => existsSync(path.join(repositoryRoot, base, name)));
        if (!exists) missing.push(`${page}: ${name}`);
      }
    }
    assert.deepEqual(missing, []);
  });

  it('names only functions and types that their file has', async () => {
    const missing: string[] = [];
    let count = 0;
    for (const [page, bases] of Object.entries(BASE_FOLDERS)) {
      for (const [file, name] of findNamesInFiles(await readFile(path.join(repositoryRoot, page), 'utf8'))) {
        const found = bases.map((base) => path.join(repositoryRoot, base, file)).find(existsSync);
        const code = found === undefined ? '' : await readFile(found, 'utf8');
        if (!code.split(/[^\w#]+/).includes(name)) missing.push(`${page}: ${name} in ${file}`);
        count++;
      }
    }
    assert.deepEqual(missing, []);
    assert.ok(count > 10);
  });
});

/** Finds `file.ts` (`name`), `name` of `file.ts`, and `name` in `file.ts`. */
function findNamesInFiles(text: string): [file: string, name: string][] {
  const after = text.matchAll(/`([\w./]+\.tsx?)` \(`([#\w]+)`\)/g);
  const before = text.matchAll(/`([#\w]+)` (?:of|in) `([\w./]+\.tsx?)`/g);
  return [
    ...[...after].map(([, file = '', name = '']): [string, string] => [file, name]),
    ...[...before].map(([, name = '', file = '']): [string, string] => [file, name]),
  ];
}

/** The targets of a page's links in the repository, and the paths that it has as code; `bareNames`: without a folder, too. */
function findPaths(text: string, bareNames: boolean): string[] {
  const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  const code = [...text.matchAll(/`(\w[\w./-]*)`/g)].map(([, name = '']) => name);
  const paths = code.filter(
    (name) => /\/$|\.(?:tsx?|css|mjs|md|yml)$/.test(name) && !name.startsWith('dist/'),
  );
  // A name alone may be an example's, such as `app.ts`.
  return [...links, ...paths.filter((name) => bareNames || name.includes('/'))];
}
