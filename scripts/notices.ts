// Writes the notices of third parties, from the inputs of the bundles: each package with its license, the packages
// that are bundled in it, the grammars, and the copyright notices in its files.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile } from 'esbuild';

/** The file with the notices, in the repository's root and in the package. */
export const NOTICES_FILE = 'ThirdPartyNotices.txt';

const GRAMMARS = '@shikijs/langs-precompiled';
const LICENSE_FILE = /^(licen[cs]e|copying|notice)([.-](md|txt|mit|mpl|code))*$/i;

/** Packages that others bundle without naming them in a comment. */
const UNNAMED_PARTS: Readonly<Record<string, readonly string[]>> = {
  roughjs: ['hachure-fill', 'path-data-parser', 'points-on-curve'],
  '@mermaid-js/parser': ['path-browserify'],
};

/** Files in `scripts/licenses` for packages that are bundled in others and may not be installed. */
const LICENSE_TEXTS: readonly (readonly [names: RegExp, file: string])[] = [
  [/^(@chevrotain\/.+|chevrotain)$/, 'chevrotain'],
  [/^vscode-(jsonrpc|languageserver-.+)$/, 'vscode-languageserver'],
  [/^(chevrotain-allstar|js-yaml|langium|path-browserify|vscode-uri)$/, '$1'],
];

/** Files in `scripts/licenses` for grammars whose license tm-grammars doesn't know. */
const GRAMMAR_LICENSES: Readonly<Record<string, { readonly source: string; readonly file: string }>> = {
  toml: { source: 'https://github.com/textmate/toml.tmbundle', file: 'toml.tmbundle' },
  yaml: { source: 'https://github.com/textmate/yaml.tmbundle', file: 'yaml.tmbundle' },
};

/** Grammars that ship empty, because nobody licenses them. C++ embeds GLSL in raw strings. */
export const UNLICENSED_GRAMMARS: Readonly<Record<string, string>> = { glsl: 'source.glsl' };

interface Notice {
  readonly title: string;
  readonly text: string;
}

/**
 * Returns the text of the notices for bundles with these inputs. Throws if a package or a grammar among them has
 * no license text.
 */
export async function createNotices(root: string, metafiles: readonly Metafile[]): Promise<string> {
  const packages = findPackages(metafiles);
  const notices: Notice[] = [];
  for (const [folder, files] of packages) {
    const { notice, parts } = await readPackage(root, folder, files);
    notices.push(notice, ...parts);
    if (folder.endsWith(`/${GRAMMARS}`)) notices.push(...(await readGrammars(root, files)));
  }
  return formatNotices(notices);
}

/** Returns the files in the bundles by their package's folder, such as `node_modules/a/node_modules/b`. */
export function findPackages(metafiles: readonly Metafile[]): ReadonlyMap<string, readonly string[]> {
  const packages = new Map<string, Set<string>>();
  for (const { inputs } of metafiles.flatMap(({ outputs }) => Object.values(outputs))) {
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const [file] = /node_modules\/[^?]+/.exec(input) ?? [];
      const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file ?? '') ?? [];
      if (file === undefined || folder === undefined || bytesInOutput === 0) continue;
      packages.set(folder, (packages.get(folder) ?? new Set()).add(file));
    }
  }
  return new Map([...packages].toSorted().map(([folder, files]) => [folder, [...files].toSorted()]));
}

/** Returns the notice of a package, and those of the packages that are bundled in its files. */
async function readPackage(
  root: string,
  folder: string,
  files: readonly string[],
): Promise<{ readonly notice: Notice; readonly parts: readonly Notice[] }> {
  const { name, version, license, homepage, repository } = JSON.parse(
    await readFile(path.join(root, folder, 'package.json'), 'utf8'),
  );
  const sources = await Promise.all(files.map((file) => readFile(path.join(root, file), 'utf8')));
  const text = await readLicense(path.join(root, folder));
  if (text === undefined) throw new Error(`${folder} has no license text.`);
  // In grammars, such words are what they color.
  const comments = name === GRAMMARS ? [] : findCopyrightComments(sources, text);
  const inner = new Set([...sources.flatMap(findBundledPackages), ...(UNNAMED_PARTS[name] ?? [])]);
  inner.delete(name);
  const parts = [...inner].toSorted().map(async (part) => ({
    title: `${part}, bundled in ${name}`,
    text: await readPartLicense(root, part, name),
  }));
  const title = [`${name} ${version}`, license && `(${license})`, homepage ?? repository?.url ?? repository];
  return {
    notice: { title: title.filter(Boolean).join(' '), text: [text, ...comments].join('\n\n') },
    parts: await Promise.all(parts),
  };
}

/** Reads a package's license files or, without any, the license in its README. */
async function readLicense(folder: string): Promise<string | undefined> {
  const names = existsSync(folder) ? (await readdir(folder)).toSorted() : [];
  const read = (name: string) => readFile(path.join(folder, name), 'utf8');
  const licenses = await Promise.all(names.filter((name) => LICENSE_FILE.test(name)).map(read));
  if (licenses.length > 0) return licenses.map(trimText).join('\n\n');
  const readme = names.find((name) => /^readme\.md$/i.test(name));
  const [, text] = /\n#+ licen[cs]e\n([^#]+)/i.exec(readme === undefined ? '' : await read(readme)) ?? [];
  // A name alone is no license text.
  return text !== undefined && text.length > 500 ? trimText(text) : undefined;
}

async function readPartLicense(root: string, part: string, name: string): Promise<string> {
  const [names, file] = LICENSE_TEXTS.find(([names]) => names.test(part)) ?? [];
  const text =
    names && file !== undefined
      ? await readLicenseText(root, part.replace(names, file))
      : await readLicense(path.join(root, 'node_modules', part));
  if (text === undefined) throw new Error(`${part}, which is bundled in ${name}, has no license text.`);
  return text;
}

async function readLicenseText(root: string, name: string): Promise<string> {
  return trimText(await readFile(path.join(root, 'scripts/licenses', `${name}.txt`), 'utf8'));
}

/** Finds the packages that a bundler named in comments, such as `// ../node_modules/.pnpm/a@1.0.0/node_modules/a/x.js`. */
function findBundledPackages(source: string): string[] {
  const comments = source.matchAll(/^\s*(?:\/\/|\/\*) \S*node_modules\/((?:@[\w.-]+\/)?\w[\w.-]*)\//gm);
  return [...comments].map(([, name = '']) => name);
}

/** Finds the comments with copyrights that the license text doesn't have. */
function findCopyrightComments(sources: readonly string[], license: string): string[] {
  const isKnown = (line: string) => license.includes(line.replace(/^[\s/*!]+|[\s*/]+$/g, ''));
  const comments = sources
    .flatMap((source) => source.match(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm) ?? [])
    .map(trimText)
    .filter((comment) => /copyright|\(c\) ?(19|20)\d\d/i.test(comment))
    .filter((comment) => !comment.split('\n').every(isKnown));
  return [...new Set(comments)];
}

/** Returns the notices of the grammars in these files, from tm-grammars, where Shiki takes them. */
async function readGrammars(root: string, files: readonly string[]): Promise<Notice[]> {
  const text = await readFile(path.join(root, 'node_modules/tm-grammars/NOTICE'), 'utf8');
  const sections = text.split(/^={20,}\n(?=Files: )/m).map((section) => {
    const [head = '', ...license] = section.split(/^(-{20,}\n)/m);
    const [, names = ''] = /^Files: +(.+)$/m.exec(head) ?? [];
    const [, source = ''] = /^License: +(.+)$/m.exec(head) ?? [];
    return {
      names: names.split(/,\s*/).map((file) => path.basename(file, '.json')),
      source,
      license: license.slice(1).join(''),
    };
  });
  const notices = files.map(async (file) => {
    const name = path.basename(file, '.mjs');
    if (name in UNLICENSED_GRAMMARS) return [];
    const { source, file: licenseFile } = GRAMMAR_LICENSES[name] ?? {};
    const section = sections.find(({ names }) => names.includes(name));
    const license = licenseFile === undefined ? section?.license : await readLicenseText(root, licenseFile);
    if (!license?.trim()) throw new Error(`The grammar ${name} has no license text.`);
    return [{ title: `The grammar ${name} (${source ?? section?.source})`, text: trimText(license) }];
  });
  return (await Promise.all(notices)).flat();
}

/** Formats notices, with each text only once. */
function formatNotices(notices: readonly Notice[]): string {
  const titles = new Map<string, string[]>();
  for (const { title, text } of notices) titles.set(text, [...(titles.get(text) ?? []), title]);
  const line = '='.repeat(80);
  return [
    'Third-party notices',
    '',
    'Parley’s package includes work of others, under the licenses below.',
    '',
    ...[...titles].flatMap(([text, all]) => [line, ...new Set(all), line, '', text, '']),
  ].join('\n');
}

function trimText(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
}
