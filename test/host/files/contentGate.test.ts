import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Candidate, type Concern, inspectBytes } from '../../../src/host/files/candidate';
import { confirmUpload } from '../../../src/host/files/contentGate';
import { assertInert } from '../support/hostile';
import { RecordedWindow, type Shown } from '../support/recordedWindow';

const candidate = (name: string, ...concerns: Concern[]): Candidate => ({
  ...inspectBytes(name, new TextEncoder().encode('text')),
  concerns,
});
const names = (candidates: readonly Candidate[]) => candidates.map(({ file }) => file.name);

describe('The confirmation of an upload', () => {
  let recorded: RecordedWindow;
  let answers: ((shown: Shown) => unknown)[];
  beforeEach(() => {
    answers = [];
    recorded = new RecordedWindow((shown) => answers.shift()?.(shown));
  });
  afterEach(() => recorded.dispose());

  const all = ({ items }: Shown) => items;
  const picked = ({ items }: Shown) => items.filter((item) => item.picked !== false);
  const press = (button: string) => () => button;
  const list = (count: number) => Array.from({ length: count }, (_, index) => candidate(`${index}.txt`));

  it('is skipped for up to five files without concerns', async () => {
    const candidates = list(5);
    assert.deepEqual(await confirmUpload({ candidates }), candidates);
    assert.deepEqual(recorded.shown, []);
  });

  it('lists more than five files, and returns the selected ones', async () => {
    const candidates = list(6);
    answers = [({ items }) => items.slice(2)];
    assert.deepEqual(names(await confirmUpload({ candidates })), names(candidates.slice(2)));
    assert.equal(recorded.shown[0]?.by, 'QuickPick');
    assert.equal(recorded.shown[0]?.items.length, 6);
  });

  it('lists files that a page named and files from a folder, however few', async () => {
    for (const selection of [
      { candidates: list(2), namedByPage: true as const },
      { candidates: list(1), leftOut: 3 },
    ]) {
      answers = [all];
      assert.deepEqual(names(await confirmUpload(selection)), names(selection.candidates));
    }
    assert.match(recorded.shown[1]?.texts[0] ?? '', /3 skipped: ignored, excluded, or too large/);
  });

  it('returns no file if the list is canceled or nothing is selected', async () => {
    assert.deepEqual(await confirmUpload({ candidates: list(6) }), []);
    answers = [() => []];
    assert.deepEqual(await confirmUpload({ candidates: list(6) }), []);
  });

  it('lists files with concerns first, with reasons, and deselects files outside the workspace', async () => {
    const candidates = [
      candidate('a.txt'),
      candidate('b.txt', 'large', 'ignored'),
      candidate('c.txt', 'link', 'outside'),
    ];
    answers = [picked];
    assert.deepEqual(names(await confirmUpload({ candidates })), ['b.txt', 'a.txt']);
    const items = recorded.shown[0]?.items ?? [];
    assert.deepEqual(
      items.map(({ label, detail, picked: ticked }) => [label, detail, ticked]),
      [
        ['b.txt', 'large: 4 bytes · ignored by Git', true],
        ['c.txt', 'a link · outside the workspace', false],
        ['a.txt', undefined, true],
      ],
    );
  });

  it('shows a dialog for a single file with concerns', async () => {
    answers = [press('Upload')];
    const one = candidate('b.txt', 'outside');
    assert.deepEqual(await confirmUpload({ candidates: [one] }), [one]);
    assert.deepEqual(await confirmUpload({ candidates: [one] }), []);
    assert.deepEqual(recorded.shown[0]?.texts, ['Upload b.txt?', 'b.txt', 'outside the workspace', 'Upload']);
  });

  it('asks for each secret separately, and uploads the others if one is skipped [attack: secrets]', async () => {
    const candidates = [
      candidate('a.txt', 'ignored'),
      candidate('.env'),
      candidate('id_rsa'),
      candidate('prod.env'),
    ];
    answers = [all, press('Upload Anyway'), press('Skip'), press('Upload Anyway')];
    assert.deepEqual(names(await confirmUpload({ candidates })), ['a.txt', '.env.txt', 'prod.env']);
    assert.deepEqual(
      recorded.shown.slice(1).map(({ texts }) => texts[0]),
      ['.env.txt', 'id_rsa.txt', 'prod.env'].map((name) => `${name} looks like a secret. Upload it anyway?`),
    );
  });

  it('returns no file if the user cancels at any secret [attack: secrets]', async () => {
    const candidates = [candidate('a.txt', 'ignored'), candidate('.env'), candidate('id_rsa')];
    answers = [all, press('Upload Anyway'), () => undefined];
    assert.deepEqual(await confirmUpload({ candidates }), []);
  });

  it('doesn’t upload a single secret by default [attack: secrets]', async () => {
    assert.deepEqual(await confirmUpload({ candidates: [candidate('id_rsa')] }), []);
    assert.deepEqual(recorded.shown[0]?.buttons, ['Don’t Upload', 'Upload Anyway']);
  });

  it('shows file names and link targets as inert text [attack: notification]', async () => {
    const hostile = '[x](command:workbench.action.quit) \n$(error)';
    const uri = vscode.Uri.file(`/tmp/\u202e${hostile}.txt`);
    const one = {
      ...candidate(`${hostile}.txt`, 'link', 'outside'),
      uri,
      realUri: vscode.Uri.file(`/${hostile}`),
    };
    await confirmUpload({ candidates: [one] });
    await confirmUpload({ candidates: [one, one] });
    await confirmUpload({ candidates: [{ ...one, secret: 'name', concerns: ['link'] }], namedByPage: true });
    assert.ok(recorded.shown.length >= 3);
    assertInert(recorded.texts);
  });
});
