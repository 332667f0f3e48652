import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openNewFile } from '../../../src/host/editor/editor';
import { closeEditors } from '../support/closeEditors';

describe('Code from a reply as a new file', () => {
  afterEach(closeEditors);

  it('opens in its language, also by the language names that replies use', async () => {
    for (const [name, id] of [
      ['ts', 'typescript'],
      ['python', 'python'],
      ['sh', 'shellscript'],
      ['no-such-language', 'plaintext'],
    ] as const) {
      await openNewFile('text', name);
      const document = vscode.window.activeTextEditor?.document;
      assert.deepEqual([document?.languageId, document?.getText()], [id, 'text']);
    }
  });
});
