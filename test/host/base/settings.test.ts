import assert from 'node:assert/strict';
import {
  getBaseUrl,
  getDefaultBotId,
  getDefaultBotIds,
  getPrompt,
  getTextUploadExtensions,
} from '../../../src/host/base/settings';
import { setSetting } from '../support/setSetting';

describe('Settings', () => {
  const names = ['baseUrl', 'botId', 'upload.asText', 'prompts'] as const;
  const set = (name: (typeof names)[number], value: unknown) => setSetting(`parley.${name}`, value);
  afterEach(async () => {
    for (const name of names) await set(name, undefined);
  });

  it('settings with a value of the wrong type count as unset', async () => {
    for (const value of [7, { a: 1 }, [['b']]]) {
      for (const name of names) await set(name, value);
      assert.deepEqual([getBaseUrl(), getDefaultBotId(), getDefaultBotIds().user], Array(3).fill(undefined));
      assert.deepEqual([...getTextUploadExtensions()], []);
      assert.match(getPrompt('explain'), /^Explain this code/);
    }
    await set('upload.asText', [1, '.TOML', null]);
    assert.deepEqual([...getTextUploadExtensions()], ['toml']);
  });

  it('prompts in settings show hidden characters [attack: control characters]', async () => {
    await set('prompts', { explain: 'Explain\u202e this\u{e0041}.' });
    assert.equal(getPrompt('explain'), 'Explain\\u{202e} this\\u{e0041}.');
  });
});
