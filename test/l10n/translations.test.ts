import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { findMessages, getBundlePath, languages, parseSources } from '../../scripts/l10n';
import { repositoryRoot } from '../vscode/cacheDir';

type Messages = Readonly<Record<string, string>>;

async function read(file: string): Promise<Messages> {
  return JSON.parse(await readFile(path.resolve(repositoryRoot, file), 'utf8')) as Messages;
}

/**
 * Returns the parts of a message that its translation must contain in any order: placeholders, code and
 * links.
 */
function findFixedParts(message: string): string[] {
  return [...message.matchAll(/\{\d+\}|`[^`]+`|\]\(command:[^)]+\)/g)].map(String).toSorted();
}

/**
 * Matches properties of package.json whose values are always shown; a name or a description may be for
 * programs.
 */
const SHOWN_TEXT =
  /"(?:title|label|contextualTitle|shortTitle|altText|markdownDescription|userDescription|displayName)": "([^"]+)"/g;

function assertTranslates(originals: Messages, translations: Messages): void {
  const keys = Object.keys(originals);
  assert.deepEqual(Object.keys(translations).toSorted(), keys.toSorted());
  const isWrong = (key: string) => {
    const [original = '', translation = ''] = [originals[key], translations[key]];
    return translation.trim() === '' || `${findFixedParts(original)}` !== `${findFixedParts(translation)}`;
  };
  assert.deepEqual(keys.filter(isWrong), []);
}

describe('Translations', () => {
  let messages: Messages;
  let manifest: string;

  before(async () => {
    messages = Object.fromEntries(findMessages(await parseSources()).map((message) => [message, message]));
    manifest = await readFile(path.join(repositoryRoot, 'package.json'), 'utf8');
  });

  it('include all messages of host and page in the English bundle; else run `npm run l10n`', async () => {
    assert.ok(Object.keys(messages).length > 300);
    assert.deepEqual(await read(getBundlePath()), messages);
  });

  it('exist for each of Parley’s languages and for no other', async () => {
    const names = [...(await readdir(path.join(repositoryRoot, 'l10n'))), ...(await readdir(repositoryRoot))];
    const found = names.flatMap(
      (name) => /^(?:bundle\.l10n|package\.nls)\.([\w-]+)\.json$/.exec(name)?.[1] ?? [],
    );
    assert.deepEqual(found.toSorted(), [...languages, ...languages].toSorted());
  });

  it('include each text of package.json in package.nls.json, without unused ones', async () => {
    const named = [...manifest.matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key);
    const originals = await read('package.nls.json');
    assert.deepEqual([...new Set(named)].toSorted(), Object.keys(originals).toSorted());
  });

  it('are used for every text of package.json that is shown', () => {
    const texts = [...manifest.matchAll(SHOWN_TEXT)].map(([, text = '']) => text);
    assert.ok(texts.length > 50);
    assert.deepEqual(
      texts.filter((text) => text !== 'Parley' && !/^%.*%$/.test(text)),
      [],
    );
  });

  for (const language of languages) {
    it(`translate all messages of the code to ${language} with the same arguments`, async () => {
      assertTranslates(messages, await read(getBundlePath(language)));
    });

    it(`translate all texts of package.json to ${language}`, async () => {
      assertTranslates(await read('package.nls.json'), await read(`package.nls.${language}.json`));
    });
  }
});
