// Writes the README's tables of commands and settings from package.json and package.nls.json, between their markers.
// Usage: node scripts/readme.mjs
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const readmeFile = path.join(root, 'README.md');

/** Where else a command is found, by the menu that has it, in the order of the table's words. */
const PLACES = {
  'explorer/context': 'Explorer',
  'editor/context': 'editor’s menu',
  'editor/title': 'editor tab',
  'editor/title/context': 'editor tab',
  'view/title': 'panel’s title',
  'webview/context': 'menu in the panel',
};

/** @returns {Promise<string>} the README as it should be: its text with the tables of today's manifest */
export async function readmeWithTables() {
  const manifest = await readLocalized();
  const readme = await readFile(readmeFile, 'utf8');
  return replaceTable(
    replaceTable(readme, 'commands', commandTable(manifest)),
    'settings',
    settingTable(manifest),
  );
}

async function write() {
  await writeFile(readmeFile, await readmeWithTables());
}

/** package.json with the texts that `%key%` stands for. */
async function readLocalized() {
  const [manifest, words] = await Promise.all(
    ['package.json', 'package.nls.json'].map((name) => readFile(path.join(root, name), 'utf8')),
  );
  const texts = JSON.parse(words);
  return JSON.parse(manifest, (_, value) => {
    const [, key] = (typeof value === 'string' && /^%(.+)%$/.exec(value)) || [];
    return key === undefined ? value : texts[key];
  });
}

function replaceTable(readme, name, table) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md has no place for the table of ${name}.`);
  return `${readme.slice(0, from + begin.length)}\n${table}\n${readme.slice(to)}`;
}

function commandTable({ contributes }) {
  const { commands, keybindings, menus } = contributes;
  const hidden = new Set(
    menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command),
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

/** @returns {string[]} where a command is found, itself or in one of Parley's submenus; a tab of Parley's is a panel too */
function places(menus, command) {
  const found = Object.entries(menus).flatMap(([menu, items]) => {
    const item = items.find((each) => each.command === command);
    if (!item || inOwnTab(item)) return [];
    const above = Object.entries(menus).filter(([, all]) =>
      all.some((item) => item.submenu === menu && !inOwnTab(item)),
    );
    return [menu, ...above.map(([name]) => name)];
  });
  return [...new Set(Object.keys(PLACES).flatMap((menu) => (found.includes(menu) ? [PLACES[menu]] : [])))];
}

function inOwnTab({ when = '' }) {
  return when === "activeWebviewPanelId == 'parley.editor'";
}

function keys({ key, mac }) {
  const names = {
    ctrl: 'Ctrl',
    cmd: 'Cmd',
    alt: 'Alt',
    shift: 'Shift',
    pageup: 'Page Up',
    pagedown: 'Page Down',
  };
  const spelled = (all) =>
    all
      .split('+')
      .map((each) => names[each] ?? each.charAt(0).toUpperCase() + each.slice(1))
      .join('+');
  return `${spelled(key)} (macOS: ${spelled(mac).replace('Alt', 'Option')})`;
}

function settingTable({ contributes, capabilities }) {
  const { restrictedConfigurations: restricted } = capabilities.untrustedWorkspaces;
  const rows = Object.entries(contributes.configuration.properties).map(([name, setting]) => [
    `\`${name}\``,
    [setting.markdownDescription, ...values(setting), ...scope(setting, restricted.includes(name))].join(' '),
    defaultOf(setting),
  ]);
  return table(['setting', 'what', 'default'], rows);
}

function values({ enum: all = [], enumDescriptions = [] }) {
  return all.map((value, index) => `\`${value}\`: ${enumDescriptions[index]}`);
}

function scope({ scope: of }, restricted) {
  if (of === 'application') return ['User settings only: no workspace can set it.'];
  return restricted ? ['Not from a workspace that isn’t trusted.'] : [];
}

/** Short, or said in words by the description. */
function defaultOf({ default: value }) {
  if (value === '') return '';
  if (Array.isArray(value))
    return `${value
      .slice(0, 3)
      .map((each) => `\`${each}\``)
      .join(', ')} … (${value.length})`;
  return typeof value === 'object' ? 'in VS Code’s language' : `\`${value}\``;
}

function table(head, rows) {
  const cells = (row) =>
    `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replace(/ {2,}/g, ' ');
  return [cells(head), `|${'---|'.repeat(head.length)}`, ...rows.map(cells)].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) void write();
