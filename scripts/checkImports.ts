// Checks that imports in src point down: a folder imports only the folders on its line, and a line contains
// only folders above it. That excludes circular imports of folders, including types. (Biome's noImportCycles
// checks files.) Hand-written, because Biome has no rule for circles of folders, and dependency-cruiser has 18
// dependencies of its own; this takes half a second.
// Usage: tsx scripts/checkImports.ts
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Maps each folder of src, lowest first, to the folders that it may import; `name/*`: those below a folder. */
const folders: Readonly<Record<string, string>> = {
  'shared/text': '',
  'shared/conversation': '',
  'shared/view': 'shared/text shared/conversation',
  'shared/protocol': 'shared/conversation shared/view',
  client: '',
  'client/recording': 'client',

  'chat/base': '',
  'chat/text': 'shared/text',
  'chat/model': 'client shared/*',
  'chat/prompts': 'client shared/*',
  'chat/store/files': 'client shared/* chat/base chat/model',
  'chat/store/transcript': 'shared/* chat/base chat/model chat/store/files',
  'chat/store': 'client shared/* chat/base chat/model chat/store/*',
  'chat/export': 'client shared/* chat/model chat/text',
  'chat/conversations': 'shared/* chat/base chat/model chat/store chat/store/files',
  'chat/remote': 'client shared/* chat/base chat/model chat/conversations',
  'chat/uploads': 'client shared/* chat/base chat/model chat/conversations chat/remote',
  'chat/replies': 'client shared/* chat/model chat/text chat/conversations chat/remote chat/uploads',
  chat: 'shared/view chat/store chat/conversations chat/remote chat/uploads chat/replies',

  'host/base': 'client shared/*',
  'host/theme': 'shared/view chat/base host/base',
  'host/platform': 'client shared/* chat/base chat/model chat/store chat/store/files chat/uploads host/base',
  'host/service': 'client shared/* chat/base chat/model chat/remote host/base',
  'host/panel/html': 'shared/protocol host/base',
  'host/panel/page': 'shared/* chat/model chat/conversations chat/remote host/base host/theme host/service',
  'host/panel': 'shared/* chat chat/model chat/conversations host/base host/theme host/service host/panel/*',
  'host/diagrams': 'shared/protocol host/base host/panel/html',
  'host/documents': `
    shared/* chat chat/model chat/text chat/conversations chat/remote chat/uploads
    host/base host/platform host/service host/panel host/panel/page`,
  'host/context': 'shared/* chat/text chat/conversations chat/uploads host/base host/panel host/documents',
  'host/prompts': `
    shared/* chat/prompts chat/text chat/store/files chat/conversations chat/uploads
    host/base host/platform host/panel host/panel/page host/context host/documents`,
  'host/mentions': `
    shared/* chat/base chat/model chat/conversations chat/remote chat/uploads
    host/base host/panel host/panel/page host/context host/documents`,
  'host/status': 'shared/* chat/base chat/model chat/conversations host/base host/service host/panel',
  'host/agents': `
    shared/* chat chat/model chat/text chat/export chat/conversations chat/remote
    chat/uploads chat/replies host/base host/service host/context host/documents`,
  'host/conversations/markdown': `
    shared/* chat/model chat/text chat/export chat/conversations
    host/base host/service`,
  'host/conversations': `
    client shared/* chat chat/model chat/text chat/export chat/conversations chat/remote
    chat/uploads chat/replies host/base host/platform host/service host/panel host/panel/page
    host/documents host/conversations/*`,
  'host/recording': 'client/recording host/base host/service',
  'host/editor': 'chat/model chat/text host/base host/platform host/conversations/markdown',
  host: `
    shared/* chat chat/conversations chat/remote chat/uploads chat/replies
    host/base host/theme host/platform host/service host/panel host/panel/page host/diagrams host/context
    host/prompts host/documents host/mentions host/status host/agents host/conversations
    host/conversations/* host/editor host/recording`,

  'webview/base': 'shared/*',
  'webview/files': '',
  'webview/highlight/worker': '',
  'webview/highlight': 'shared/view webview/base webview/highlight/worker',
  'webview/markdown/base': '',
  'webview/markdown/inline/scan': 'shared/text webview/markdown/base',
  'webview/markdown/inline': 'shared/text webview/markdown/base webview/markdown/inline/scan',
  'webview/markdown/block': `
    shared/text webview/base webview/markdown/base webview/markdown/inline webview/markdown/inline/scan`,
  'webview/markdown': 'webview/markdown/base webview/markdown/block',
  'webview/markdown/serialize': 'shared/text',
  'webview/math': 'webview/base',
  'webview/page': `
    shared/* webview/base webview/files webview/highlight webview/math
    webview/markdown/serialize`,
  'webview/code': 'shared/protocol webview/base webview/files webview/markdown/base webview/page',
  'webview/tables': 'webview/base webview/page webview/code webview/markdown/serialize',
  'webview/components': 'shared/* webview/base webview/page',
  'webview/find/worker': '',
  'webview/find': `
    shared/* webview/base webview/highlight webview/page webview/components
    webview/find/worker`,
  'webview/timeline': 'shared/* webview/base webview/page webview/components webview/find',
  'webview/transcript': `
    shared/* webview/base webview/markdown webview/markdown/base webview/page webview/code webview/tables
    webview/components webview/find webview/timeline`,
  'webview/composer/mentions': 'shared/* webview/base webview/page webview/components',
  'webview/composer/prompts': 'shared/* webview/base webview/page webview/components',
  'webview/composer/queue': 'shared/* webview/base webview/page webview/components',
  'webview/composer': 'shared/* webview/base webview/page webview/components webview/composer/*',
  'webview/documents': 'shared/* webview/base webview/page webview/components',
  'webview/conversations': 'shared/* webview/base webview/page webview/components',
  'webview/shell': `
    shared/* webview/base webview/page webview/components webview/transcript
    webview/composer webview/composer/prompts webview/documents webview/conversations`,
  webview: 'webview/page webview/shell',
  'webview/diagram/frame': '',
  'webview/diagram': 'shared/protocol webview/base webview/diagram/frame',

  // The entry point, which loads the rest on first use.
  '': 'host host/base host/conversations/markdown host/agents',
};

const src = path.join(import.meta.dirname, '../src');
const problems: string[] = [];
const above = new Set<string>();
for (const folder of Object.keys(folders)) {
  for (const name of listAllowed(folder)) {
    if (!above.has(name))
      problems.push(`scripts/checkImports.ts: ${folder} names ${name}, which isn't above it.`);
  }
  above.add(folder);
}
for (const name of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
  const file = name.replaceAll(path.sep, '/');
  if (/\.(ts|tsx)$/.test(file)) checkFile(file);
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

/** Checks the imports of a file. `file`: its path below src, with `/`. */
function checkFile(file: string): void {
  const folder = getFolder(file);
  if (folders[folder] === undefined) {
    problems.push(`src/${file}: scripts/checkImports.ts has no line for its folder.`);
    return;
  }
  const text = readFileSync(path.join(src, file), 'utf8');
  for (const [, specifier = ''] of text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*'(\.[^']+)'/g)) {
    const target = getFolder(path.posix.join(folder, specifier));
    if (specifier.endsWith('.css') || target === folder || listAllowed(folder).includes(target)) continue;
    problems.push(
      `src/${file}: imports ${specifier}, and ${folder || 'src'} may not import ${target || 'src'}.`,
    );
  }
}

function listAllowed(folder: string): readonly string[] {
  const names = folders[folder]?.match(/\S+/g) ?? [];
  return names.flatMap((name) => (name.endsWith('/*') ? listFoldersBelow(name.slice(0, -1)) : [name]));
}

function listFoldersBelow(prefix: string): readonly string[] {
  return Object.keys(folders).filter((name) => name.startsWith(prefix));
}

function getFolder(file: string): string {
  const folder = path.posix.dirname(file);
  return folder === '.' ? '' : folder;
}
