// Updates the table of features in docs/architecture.md, between its markers, from the folders of src.
// Usage: node scripts/run.mjs scripts/architecture.ts
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.join(__dirname, '..');
const file = path.join(root, 'docs/architecture.md');
const [BEGIN, END] = ['<!-- features -->', '<!-- /features -->'];

const ROOMS = ['client', 'chat', 'host', 'webview'] as const;

/** Features, by the name of their folders. Everything else is the core. */
export const FEATURES = [
  ...['prompts', 'mentions', 'forks', 'queue', 'documents', 'export', 'find', 'timeline', 'diagrams'],
  ...['agents', 'bots', 'recording'],
] as const;

/** Returns docs/architecture.md with a table that has the folder of each feature in each room. */
export async function createArchitecturePage(): Promise<string> {
  const page = await readFile(file, 'utf8');
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from)
    throw new Error('docs/architecture.md has no markers for the table of features.');
  const rows = FEATURES.map((feature) => [
    feature,
    ...ROOMS.map((room) =>
      existsSync(path.join(root, 'src', room, feature)) ? `\`${room}/${feature}/\`` : '',
    ),
  ]);
  const table = [['feature', ...ROOMS.map((room) => `\`${room}/\``)], Array(5).fill('---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
  return `${page.slice(0, from + BEGIN.length)}\n${table}\n${page.slice(to)}`;
}

if (process.argv[1] === __filename) void createArchitecturePage().then((page) => writeFile(file, page));
