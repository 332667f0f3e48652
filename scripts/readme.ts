// Writes the README's tables of commands and settings from package.json and package.nls.json, between their markers.
// Usage: node scripts/run.mjs scripts/readme.ts
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.join(__dirname, '..');
const readmeFile = path.join(root, 'README.md');

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
}

interface Setting {
  readonly markdownDescription: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly scope?: string;
}

/** What of package.json the tables show. */
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

/** Where else a command is found, by the menu that has it, in the order of the table's words. */
const PLACES: Readonly<Record<string, string>> = {
  'explorer/context': 'Explorer',
  'editor/context': 'editor’s menu',
  'editor/title': 'editor tab',
  'editor/title/context': 'editor tab',
  'view/title': 'panel’s title',
  'webview/context': 'menu in the panel',
};

/** Returns the README with the tables that the manifest makes. */
export async function readmeWithTables(): Promise<string> {
  const manifest = await readLocalized();
  const readme = await readFile(readmeFile, 'utf8');
  return replaceTable(
    replaceTable(readme, 'commands', commandTable(manifest)),
    'settings',
    settingTable(manifest),
  );
}

async function write(): Promise<void> {
  await writeFile(readmeFile, await readmeWithTables());
}

/** package.json with the texts that `%key%` stands for. */
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

function replaceTable(readme: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md has no place for the table of ${name}.`);
  return `${readme.slice(0, from + begin.length)}\n${table}\n${readme.slice(to)}`;
}

function commandTable({ contributes }: Manifest): string {
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
        .map(keys)
        .join(', '),
      places(menus, command).join(', '),
    ]);
  return table(['command', 'keys, in the panel', 'also in'], rows);
}

/** Returns the menus that have a command, or a submenu that has it, in words; a tab of Parley's is a panel too. */
function places(menus: Menus, command: string): string[] {
  const found = Object.entries(menus).flatMap(([menu, items]) => {
    const item = items.find((each) => each.command === command);
    if (!item || inOwnTab(item)) return [];
    const above = Object.entries(menus).filter(([, all]) =>
      all.some((item) => item.submenu === menu && !inOwnTab(item)),
    );
    return [menu, ...above.map(([name]) => name)];
  });
  return [
    ...new Set(Object.keys(PLACES).flatMap((menu) => (found.includes(menu) ? [PLACES[menu] ?? ''] : []))),
  ];
}

function inOwnTab({ when = '' }: MenuItem): boolean {
  return when === "activeWebviewPanelId == 'parley.editor'";
}

function keys({ key, mac }: Keybinding): string {
  const names: Readonly<Record<string, string>> = {
    ctrl: 'Ctrl',
    cmd: 'Cmd',
    alt: 'Alt',
    shift: 'Shift',
    pageup: 'Page Up',
    pagedown: 'Page Down',
  };
  const spelled = (all: string) =>
    all
      .split('+')
      .map((each) => names[each] ?? each.charAt(0).toUpperCase() + each.slice(1))
      .join('+');
  return `${spelled(key)} (macOS: ${spelled(mac).replace('Alt', 'Option')})`;
}

function settingTable({ contributes, capabilities }: Manifest): string {
  const { restrictedConfigurations: restricted } = capabilities.untrustedWorkspaces;
  const rows = Object.entries(contributes.configuration.properties).map(([name, setting]) => [
    `\`${name}\``,
    [setting.markdownDescription, ...values(setting), ...scope(setting, restricted.includes(name))].join(' '),
    formatDefault(setting),
  ]);
  return table(['setting', 'what', 'default'], rows);
}

function values({ enum: all = [], enumDescriptions = [] }: Setting): string[] {
  return all.map((value, index) => `\`${value}\`: ${enumDescriptions[index]}`);
}

function scope({ scope: of }: Setting, restricted: boolean): string[] {
  if (of === 'application') return ['User settings only: no workspace can set it.'];
  return restricted ? ['Not from a workspace that isn’t trusted.'] : [];
}

/** Short, or said in words by the description. */
function formatDefault({ default: value }: Setting): string {
  if (value === '') return '';
  if (Array.isArray(value))
    return `${value
      .slice(0, 3)
      .map((each) => `\`${each}\``)
      .join(', ')} … (${value.length})`;
  return typeof value === 'object' ? 'in VS Code’s language' : `\`${value}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) =>
    `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replace(/ {2,}/g, ' ');
  return [cells(head), `|${'---|'.repeat(head.length)}`, ...rows.map(cells)].join('\n');
}

if (process.argv[1] === __filename) void write();
