// Updates the README's table of settings and the handbook's table of commands, between their markers, from
// package.json and package.nls.json, and the table of features in docs/architecture.md from the folders of src. Hand-written, because no library joins the commands with their keys and menus.
// Usage: node scripts/run.mjs scripts/readme.ts
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFeatureRows } from './features';

const root = path.join(__dirname, '..');

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
}

type Menus = Readonly<Record<string, readonly MenuItem[]>>;

interface Keybinding {
  readonly command: string;
  readonly key: string;
  readonly mac: string;
  readonly when?: string;
}

interface Setting {
  readonly markdownDescription: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly scope?: string;
}

/** The parts of package.json that the tables use. */
interface Manifest {
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly category: string;
      readonly title: string;
    }[];
    readonly keybindings: readonly Keybinding[];
    readonly menus: Menus;
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
}

/** Where else a command is available, by menu, in the order used in the table. */
const MENU_NAMES: Readonly<Record<string, string>> = {
  'explorer/context': 'Explorer',
  'editor/context': 'editor’s context menu',
  'editor/title': 'editor’s title bar',
  'editor/title/context': 'editor tab',
  'view/title': 'panel’s title',
  'webview/context': 'menu in the panel',
  'scm/title': 'Source Control’s menu',
  'comments/commentThread/title': 'the comment',
};

/** Returns the pages that have a generated table, by their file in the repository. */
export async function createPages(): Promise<Readonly<Record<string, string>>> {
  const manifest = await readLocalized();
  const createPage = async (file: string, name: string, table: string) =>
    replaceTable(await readFile(path.join(root, file), 'utf8'), name, table);
  return {
    'README.md': await createPage('README.md', 'settings', createSettingTable(manifest)),
    'docs/handbook.md': await createPage('docs/handbook.md', 'commands', createCommandTable(manifest)),
    'docs/architecture.md': await createPage(
      'docs/architecture.md',
      'features',
      formatTable(...createFeatureRows(root)),
    ),
  };
}

async function write(): Promise<void> {
  for (const [file, page] of Object.entries(await createPages()))
    await writeFile(path.join(root, file), page);
}

/** Reads package.json with each `%key%` replaced by its text. */
async function readLocalized(): Promise<Manifest> {
  const [manifest = '', words = ''] = await Promise.all(
    ['package.json', 'package.nls.json'].map((name) => readFile(path.join(root, name), 'utf8')),
  );
  const texts = JSON.parse(words);
  return JSON.parse(manifest, (_, value) => {
    const [, key] = (typeof value === 'string' && /^%(.+)%$/.exec(value)) || [];
    return key === undefined ? value : texts[key];
  });
}

function replaceTable(page: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`There are no markers for the table of ${name}.`);
  return `${page.slice(0, from + begin.length)}\n${table}\n${page.slice(to)}`;
}

function createCommandTable({ contributes }: Manifest): string {
  const { commands, keybindings, menus } = contributes;
  const hidden = new Set(
    (menus.commandPalette ?? []).filter(({ when }) => when === 'false').map(({ command }) => command),
  );
  const rows = commands
    .filter(({ command }) => !hidden.has(command))
    .map(({ command, category, title }) => [
      `${category}: ${title}`,
      keybindings
        .filter((binding) => binding.command === command)
        .map(formatKeys)
        .join(', '),
      findMenuNames(menus, command).join(', '),
    ]);
  return formatTable(['command', 'keys, in the panel', 'also in'], rows);
}

/**
 * Returns the names of the menus that contain a command or a submenu with it; a Parley editor tab counts as
 * the panel.
 */
function findMenuNames(menus: Menus, command: string): string[] {
  const found = Object.entries(menus).flatMap(([menu, items]) => {
    const item = items.find((candidate) => toPublicCommand(candidate.command) === command);
    if (!item || isOnlyInOwnTab(item)) return [];
    const above = Object.entries(menus).filter(([, all]) =>
      all.some((item) => item.submenu === menu && !isOnlyInOwnTab(item)),
    );
    return [menu, ...above.map(([name]) => name)];
  });
  return [
    ...new Set(
      Object.keys(MENU_NAMES).flatMap((menu) => (found.includes(menu) ? [MENU_NAMES[menu] ?? ''] : [])),
    ),
  ];
}

/** Returns the command that one of the panel's title stands for. */
function toPublicCommand(command: string | undefined): string | undefined {
  return command?.replace('.view.', '.');
}

function isOnlyInOwnTab({ when = '' }: MenuItem): boolean {
  return when === "activeWebviewPanelId == 'parley.editor'";
}

function formatKeys({ key, mac, when }: Keybinding): string {
  const names: Readonly<Record<string, string>> = {
    ctrl: 'Ctrl',
    cmd: 'Cmd',
    alt: 'Alt',
    shift: 'Shift',
    pageup: 'Page Up',
    pagedown: 'Page Down',
  };
  const formatKey = (combination: string) =>
    combination
      .split('+')
      .map((part) => names[part] ?? part.charAt(0).toUpperCase() + part.slice(1))
      .join('+');
  const keys = `${formatKey(key)} (macOS: ${formatKey(mac).replace('Alt', 'Option')})`;
  return when === undefined ? `${keys}, anywhere` : keys;
}

function createSettingTable({ contributes, capabilities }: Manifest): string {
  const { restrictedConfigurations: restricted } = capabilities.untrustedWorkspaces;
  const rows = Object.entries(contributes.configuration.properties).map(([name, setting]) => [
    `\`${name}\``,
    [
      // VS Code shows a setting's name between `#` as a link to it.
      setting.markdownDescription.replace(/`#([\w.]+)#`/g, '`$1`'),
      ...describeValues(setting),
      ...describeScope(setting, restricted.includes(name)),
    ].join(' '),
    formatDefault(setting),
  ]);
  return formatTable(['setting', 'what', 'default'], rows);
}

function describeValues({ enum: all = [], enumDescriptions = [] }: Setting): string[] {
  return all.map((value, index) => `\`${value}\`: ${enumDescriptions[index]}`);
}

function describeScope({ scope }: Setting, restricted: boolean): string[] {
  if (scope === 'application') return ['User settings only; workspaces can’t set it.'];
  return restricted ? ['Ignored in untrusted workspaces.'] : [];
}

/** Formats a default; empty if the description explains it. */
function formatDefault({ default: value }: Setting): string {
  if (value === '' || JSON.stringify(value) === '[]') return '';
  if (Array.isArray(value))
    return `${value
      .slice(0, 3)
      .map((item) => `\`${item}\``)
      .join(', ')} … (${value.length})`;
  if (JSON.stringify(value) === '{}') return '';
  return typeof value === 'object' ? 'in VS Code’s language' : `\`${value}\``;
}

function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) =>
    `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replace(/ {2,}/g, ' ');
  return [cells(head), `|${'---|'.repeat(head.length)}`, ...rows.map(cells)].join('\n');
}

if (process.argv[1] === __filename) void write();
