import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { bundlePath, languages, messagesIn, parseSources } from '../../scripts/l10n';
import { repositoryRoot } from '../vscode/cacheDir';

type Messages = Readonly<Record<string, string>>;

async function read(file: string): Promise<Messages> {
  return JSON.parse(await readFile(path.resolve(repositoryRoot, file), 'utf8')) as Messages;
}

/** What a translation must have as its original has it, in any order: places for arguments, code, links. */
function fixedParts(message: string): string[] {
  return [...message.matchAll(/\{\d+\}|`[^`]+`|\]\(command:[^)]+\)/g)].map(String).toSorted();
}

/** Properties of package.json whose values VS Code always shows: a name or a description may be for programs. */
const TEXTS =
  /"(?:title|label|contextualTitle|shortTitle|altText|markdownDescription|userDescription|displayName)": "([^"]+)"/g;

function assertTranslates(originals: Messages, translations: Messages): void {
  const keys = Object.keys(originals);
  assert.deepEqual(Object.keys(translations).toSorted(), keys.toSorted());
  const isWrong = (key: string) => {
    const [original = '', translation = ''] = [originals[key], translations[key]];
    return translation.trim() === '' || `${fixedParts(original)}` !== `${fixedParts(translation)}`;
  };
  assert.deepEqual(keys.filter(isWrong), []);
}

describe('Translations', () => {
  let messages: Messages;
  let manifest: string;

  before(async () => {
    messages = Object.fromEntries(messagesIn(parseSources()).map((message) => [message, message]));
    manifest = await readFile(path.join(repositoryRoot, 'package.json'), 'utf8');
  });

  it('have a list of what host and page say, as `npm run l10n` writes it', async () => {
    assert.ok(Object.keys(messages).length > 300);
    assert.deepEqual(await read(bundlePath()), messages);
  });

  it('are there for each language that Parley speaks, and for no other', async () => {
    const names = [...(await readdir(path.join(repositoryRoot, 'l10n'))), ...(await readdir(repositoryRoot))];
    const found = names.flatMap(
      (name) => /^(?:bundle\.l10n|package\.nls)\.([\w-]+)\.json$/.exec(name)?.[1] ?? [],
    );
    assert.deepEqual(found.toSorted(), [...languages, ...languages].toSorted());
  });

  it('leave no text of package.json without its original, and no original unused', async () => {
    const named = [...manifest.matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key);
    const originals = await read('package.nls.json');
    assert.deepEqual([...new Set(named)].toSorted(), Object.keys(originals).toSorted());
  });

  it('stand behind every text of package.json that a person reads', () => {
    const texts = [...manifest.matchAll(TEXTS)].map(([, text = '']) => text);
    assert.ok(texts.length > 50);
    assert.deepEqual(
      texts.filter((text) => text !== 'Parley' && !/^%.*%$/.test(text)),
      [],
    );
  });

  for (const language of languages) {
    it(`say in ${language} what the code says, with the same arguments`, async () => {
      assertTranslates(messages, await read(bundlePath(language)));
    });

    it(`say in ${language} what package.json says`, async () => {
      assertTranslates(await read('package.nls.json'), await read(`package.nls.${language}.json`));
    });
  }
});
