// Checks that imports in src point down: a folder imports only folders before it in its room's list, and rooms below. That
// excludes circles of folders, including types. (Biome's noImportCycles checks files.) Hand-written, because Biome has no rule
// for this, and dependency-cruiser has 18 dependencies of its own; this takes half a second.
// Usage: tsx scripts/checkImports.ts
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Room {
  /** The rooms that it may import. */
  readonly below: readonly string[];
  /** Whether it may import VS Code, Node.js and `#platform`. */
  readonly isHost?: true;
  /** Single files of the host that it may import as well: they know nothing of VS Code. */
  readonly files?: readonly string[];
  /** Its folders, lowest first; '' is the room itself. Those in one list don't know each other. */
  readonly folders: readonly (string | readonly string[])[];
}

const rooms: Readonly<Record<string, Room>> = {
  shared: {
    below: [],
    folders: [
      ...['text', 'markdown/base', 'markdown/inline/scan', 'markdown/inline', 'markdown/block', 'markdown'],
      ...['conversation', 'agents', 'view', 'protocol'],
    ],
  },
  client: { below: [], folders: ['', 'recording'] },
  chat: {
    below: ['client', 'shared'],
    folders: [
      ...['base', 'text', 'files', 'model', 'prompts', 'store/files', 'store/transcript', 'store', 'export'],
      ...[
        'conversations',
        'remote',
        'mirror',
        'documents',
        ['documentSync', 'earlierAnswers', 'forks', 'replies', 'reviews'],
        'queue',
        'botTests',
        '',
      ],
    ],
  },
  host: {
    below: ['client', 'shared', 'chat'],
    isHost: true,
    folders: [
      ...['base', 'theme', 'platform', 'service', 'export/markdown', 'panel/html', 'panel/page', 'panel'],
      ...[
        'setUp',
        'files',
        'parleyJson',
        'documents',
        'documentSync',
        'context',
        ['forks', 'queue'],
        'conversations',
        ['export', 'bots'],
      ],
      ...[
        [
          'agents',
          'diagrams',
          'earlierAnswers',
          'editor',
          'mentions',
          'prompts',
          'recording',
          'reviews',
          'status',
          'botTests',
        ],
        '',
      ],
    ],
  },
  webview: {
    below: ['shared'],
    folders: [
      ...['base', 'files', 'highlight/worker', 'highlight', 'markdown', 'markdown/serialize', 'math'],
      ...['page', 'code'],
      ...[
        'tables',
        'components',
        'transcript/turns',
        'find/worker',
        'find',
        'timeline',
        'forks',
        'transcript',
      ],
      ...[
        ['earlierAnswers', 'mentions', 'prompts', 'queue'],
        'composer',
        'documentSync',
        ['documents', 'conversations'],
        'shell',
        '',
      ],
      ...['diagrams/frame', 'diagrams'],
    ],
  },
  mcp: {
    below: ['client', 'shared', 'chat'],
    isHost: true,
    files: [
      ...['host/files/detectSecret', 'host/platform/localFile', 'host/platform/nodeFetch'],
      'host/platform/nodeExpressionThread',
    ],
    folders: ['', ['alone', 'attached'], 'botTests', 'main'],
  },
  // The entry point, which loads the rest on first use.
  '': { below: ['host'], isHost: true, folders: [''] },
};

const src = path.join(import.meta.dirname, '../src');
const problems = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll(path.sep, '/'))
  .filter((file) => /\.(ts|tsx)$/.test(file))
  .flatMap(checkFile);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

/** Returns the problems of a file. `file`: its path below src, with `/`. */
function checkFile(file: string): readonly string[] {
  const { room, folder } = locate(file);
  const position = getPosition(room, folder);
  if (position === undefined) return [`src/${file}: scripts/checkImports.ts doesn't list its folder.`];
  const text = readFileSync(path.join(src, file), 'utf8');
  const imports = [...text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*'([^']+)'/g)];
  return imports.flatMap(([, specifier = '']) => {
    if (!specifier.startsWith('.')) {
      if (room === 'mcp' && /^(vscode|#platform)$/.test(specifier))
        return [`src/${file}: imports ${specifier}, but runs outside VS Code.`];
      const isOfHost = /^(vscode|node:.*|#platform)$/.test(specifier);
      return isOfHost && !rooms[room]?.isHost ? [`src/${file}: imports ${specifier} outside src/host.`] : [];
    }
    const target = locate(path.posix.join(path.posix.dirname(file), specifier));
    const isOwn = target.room === room && target.folder === folder;
    const isBelow =
      target.room === room
        ? (getPosition(room, target.folder) ?? Number.POSITIVE_INFINITY) < position
        : rooms[room]?.below.includes(target.room);
    const place = path.posix.join(path.posix.dirname(file), specifier);
    return isOwn || isBelow || rooms[room]?.files?.includes(place) || specifier.endsWith('.css')
      ? []
      : [`src/${file}: imports ${specifier}, which isn't below it.`];
  });
}

/** Returns the place of a folder in its room's list, or undefined if it isn't listed. */
function getPosition(room: string, folder: string): number | undefined {
  const index = rooms[room]?.folders.findIndex((each) => [each].flat().includes(folder)) ?? -1;
  return index < 0 ? undefined : index;
}

/** Returns the room and folder of a file. A feature's registration counts as the host's own: it gets all services. */
function locate(file: string): { readonly room: string; readonly folder: string } {
  const [room = '', ...rest] = path.posix.dirname(file).split('/');
  if (room === 'host' && /^register[A-Z]\w*(\.ts)?$/.test(path.posix.basename(file)))
    return { room, folder: '' };
  return room === '.' ? { room: '', folder: '' } : { room, folder: rest.join('/') };
}
