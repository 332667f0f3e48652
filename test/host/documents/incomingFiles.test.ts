import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  IncomingFiles,
  MAX_INCOMING_BYTES,
  parseDroppedUri,
} from '../../../src/host/documents/incomingFiles';
import type { UploadActions } from '../../../src/host/documents/uploadActions';
import { confirmUpload, type Selection } from '../../../src/host/files/contentGate';
import type { HostPage } from '../../../src/host/panel/page/hostPage';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('Files from a page', () => {
  const taken: boolean[] = [];
  const page = {} as HostPage;
  /** The page of a window with the same URIs in page and host. */
  const local = { toHostUri: (uri: vscode.Uri) => uri } as HostPage;
  const chosen: ({ conversationId: string; from: HostPage | undefined } & Selection)[] = [];
  const uploading = {
    async attachTo(conversationId: string, choose: () => Promise<Selection>, from?: HostPage) {
      chosen.push({ conversationId, from, ...(await choose()) });
    },
  } satisfies Pick<UploadActions, 'attachTo'>;
  let incoming: IncomingFiles;

  beforeEach(() => {
    taken.length = 0;
    chosen.length = 0;
    incoming = new IncomingFiles(uploading);
  });

  const begin = (files: { name: string; size: number }[], uploadId = 'u') =>
    taken.push(incoming.begin({ conversationId: 'c', uploadId, files, folders: false }, page));
  const chunk = (text: string, uploadId = 'u') => taken.push(incoming.chunk(uploadId, bytes(text), page));
  const texts = async () =>
    Promise.all(
      (chosen[0]?.candidates ?? []).map(async ({ file }) => [
        file.name,
        await new Response(await file.opened.body.open()).text(),
      ]),
    );

  it('are assembled from chunks of any size', async () => {
    begin([
      { name: 'a.md', size: 5 },
      { name: 'b.md', size: 3 },
    ]);
    for (const part of ['al', 'phabe', 't']) chunk(part);
    await incoming.end('u', page);
    assert.deepEqual(taken, [true, true, true, true]);
    assert.deepEqual(await texts(), [
      ['a.md', 'alpha'],
      ['b.md', 'bet'],
    ]);
    assert.deepEqual([chosen[0]?.conversationId, chosen[0]?.from], ['c', page]);
  });

  it('are inspected like other files: type, secret, name', async () => {
    begin([
      { name: '../id_rsa', size: 1 },
      { name: 'pasted-1.png', size: 1 },
    ]);
    chunk('xy');
    await incoming.end('u', page);
    const [secret, picture] = chosen[0]?.candidates ?? [];
    assert.deepEqual([secret?.file.name, secret?.secret], ['id_rsa.txt', 'name']);
    assert.deepEqual(
      [picture?.file.contentType, picture?.concerns, picture?.file.uri],
      ['image/png', ['kind'], undefined],
    );
  });

  it('are refused before the first chunk if they are too large', () => {
    begin([
      { name: 'a', size: MAX_INCOMING_BYTES },
      { name: 'b', size: 1 },
    ]);
    chunk('x');
    assert.deepEqual(taken, [false, false]);
  });

  it('are discarded if they have more bytes than announced', async () => {
    begin([{ name: 'a', size: 1 }]);
    chunk('xy');
    assert.deepEqual(taken, [true, false]);
    await incoming.end('u', page);
    assert.deepEqual(chosen, []);
  });

  it('are not uploaded if they have fewer bytes than announced', async () => {
    begin([
      { name: 'a.md', size: 2 },
      { name: 'b.md', size: 2 },
    ]);
    chunk('xyz');
    await incoming.end('u', page);
    assert.deepEqual(await texts(), [['a.md', 'xy']]);
  });

  it('are discarded if another transfer starts', async () => {
    begin([{ name: 'a.md', size: 1 }], 'one');
    begin([{ name: 'b.md', size: 1 }], 'two');
    chunk('x', 'one');
    await incoming.end('one', page);
    assert.deepEqual(chosen, []);
    chunk('y', 'two');
    await incoming.end('two', page);
    assert.deepEqual(await texts(), [['b.md', 'y']]);
    await incoming.end('two', page);
    assert.equal(chosen.length, 1);
  });

  it('are accepted by URI only from this window’s file systems [attack: drop]', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
    const inside = vscode.Uri.joinPath(folder, 'notes.txt').toString();
    assert.equal(parseDroppedUri(inside, local)?.toString(), inside);
    for (const foreign of [
      'https://example.com/a.md',
      'vscode-remote://elsewhere/a.md',
      'file://server/share/a.md',
      'vscode-userdata:/settings.json',
      'parley:/conversation',
      'command:workbench.action.quit',
      `${inside}?query`,
      'data:text/plain,x',
      'notes.txt',
      '',
      // U+10FFFF ends the process on Windows.
      `${inside}%F4%8F%BF%BF`,
    ]) {
      assert.equal(parseDroppedUri(foreign, local), undefined, foreign);
    }
    await incoming.drop('c', ['https://example.com/a.md', inside], local);
    assert.deepEqual(
      chosen[0]?.candidates.map(({ file }) => file.name),
      ['notes.txt'],
    );
    await Promise.all(chosen[0]?.candidates.map(({ file }) => file.opened.close()) ?? []);
    await incoming.drop('c', ['vscode-remote://elsewhere/a.md'], local);
    assert.equal(chosen.length, 1);
  });

  it('are refused if their path is one of another machine on Windows, however it is written [attack: drop]', () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
    const accepted = [
      ...['file:///%5Cevil%5Cshare/a.md', 'file:///%5C%5Cevil%5Cshare%5Ca.md', 'file:/%5Cevil%5Cshare/a.md'],
      ...['file:///%5C/evil/share/a.md', 'file:///%2F%5Cevil/share/a.md', 'file:///%5cevil/share/a.md'],
      ...['file:////evil/share/a.md', 'file:///%2Fevil/share/a.md', 'file:///%2F%2Fevil/share/a.md'],
      ...['file:\\\\evil\\share\\a.md', 'file://%5C%5Cevil/share/a.md', 'file://evil/share/a.md'],
      ...['file:///%5C%5C%3F%5CUNC%5Cevil%5Cshare%5Ca.md', 'file:///%3F%3F/UNC/evil/share/a.md'],
      ...['file:////%3F/UNC/evil/share/a.md', 'file:////./UNC/evil/share/a.md', 'file:///%5C.%5Cpipe%5Ca'],
      ...['file:///c:%5Ca.md', `${folder}/..%5C..%5Ca.md`, `${folder}/notes.txt%5C..%5C..%5Ca.md`],
      ...['vscode-remote://evil//evil/share/a.md', 'vscode-remote://evil/%5Cevil%5Cshare/a.md'],
    ].filter((uri) => parseDroppedUri(uri, local));
    assert.deepEqual(accepted, []);
    // In a remote window, the page names the host's own files with another scheme.
    const remote = { toHostUri: (uri: vscode.Uri) => uri.with({ scheme: 'file', authority: '' }) };
    assert.equal(parseDroppedUri('vscode-remote://a/%5Cevil%5Cshare/a.md', remote), undefined);
    assert.equal(parseDroppedUri('vscode-remote://a/home/a.md', remote)?.toString(), 'file:///home/a.md');
  });

  it('need confirmation if the page named them, even without concerns [attack: drop]', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
    await incoming.drop('c', [vscode.Uri.joinPath(folder, 'notes.txt').toString()], local);
    const [selection] = chosen;
    assert.ok(selection);
    const asked: string[] = [];
    const { showWarningMessage } = vscode.window;
    let answer: string | undefined;
    vscode.window.showWarningMessage = (async (text: string) => {
      asked.push(text);
      return answer;
    }) as typeof showWarningMessage;
    try {
      assert.deepEqual(await confirmUpload(selection), []);
      answer = 'Upload';
      assert.deepEqual(await confirmUpload(selection), selection.candidates);
      assert.deepEqual(asked, ['Upload notes.txt?', 'Upload notes.txt?']);
    } finally {
      vscode.window.showWarningMessage = showWarningMessage;
      await Promise.all(selection.candidates.map(({ file }) => file.opened.close()));
    }
  });
});
