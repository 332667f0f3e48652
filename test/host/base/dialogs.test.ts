import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as dialogs from '../../../src/host/base/dialogs';
import { attackLists } from '../../support/attackLists';
import { assertInert, HOSTILE } from '../support/hostile';
import { RecordedWindow } from '../support/recordedWindow';

describe('Dialogs and notifications', () => {
  let recorded: RecordedWindow;
  let chosen: (item: { items: readonly vscode.QuickPickItem[] }) => unknown;
  beforeEach(() => {
    chosen = () => undefined;
    recorded = new RecordedWindow((shown) => chosen(shown));
  });
  afterEach(() => recorded.dispose());

  const item = { label: HOSTILE, description: HOSTILE, detail: HOSTILE, alwaysShow: true };
  const options = { title: HOSTILE, placeHolder: HOSTILE };
  const kinds: Readonly<Record<string, () => unknown>> = {
    'an information message': () => dialogs.showInformation(HOSTILE),
    'a warning': () => dialogs.showWarning(HOSTILE),
    'an error message': () => dialogs.showError(HOSTILE),
    'a modal dialog': () => dialogs.confirm(HOSTILE, [HOSTILE, HOSTILE]),
    'the status bar': () => dialogs.showFeedback(HOSTILE, 1),
    'a quick pick': () => dialogs.pickOne([item], options),
    'a quick pick with multiple selection': () => dialogs.pickSome([item], options),
    'an input box': () => dialogs.showInputBox({ ...options, prompt: HOSTILE }, () => HOSTILE),
    progress: () =>
      dialogs.withProgress(
        { location: vscode.ProgressLocation.Notification, title: HOSTILE },
        async (progress) => progress.report({ message: HOSTILE, increment: 1 }),
      ),
  };
  for (const [name, show] of Object.entries(kinds)) {
    it(`show no link and no hidden character in ${name} [attack: notification]`, async () => {
      await show();
      assert.ok(recorded.texts.some((text) => text.includes('Retry')));
      assertInert(recorded.texts);
    });
  }

  it('show no icon from untrusted text in a quick pick', async () => {
    await dialogs.pickOne([item], options);
    for (const { items } of recorded.shown) {
      for (const { label } of items) assert.doesNotMatch(label, /(?<!\\)\$\(/);
    }
  });

  for (const [name, attacks] of attackLists) {
    it(`show none of ${name} as a link, an icon or hidden characters in a quick pick [attack: notification]`, async () => {
      const items = attacks.map((attack) => ({
        label: attack,
        description: `$(x) ${attack}`,
        detail: attack,
      }));
      await dialogs.pickOne(items, { title: attacks.join(''), placeHolder: attacks.join('') });
      assert.equal(recorded.texts.length, 3 * attacks.length + 2);
      assertInert(recorded.texts);
      for (const { label, description, detail } of recorded.shown.flatMap(({ items }) => items)) {
        for (const text of [label, description, detail]) assert.doesNotMatch(text ?? '', /(?<!\\)\$\(/);
      }
    });
  }

  it('return the original items that were picked', async () => {
    const items = [{ label: 'a' }, item, { label: HOSTILE, description: 'other' }];
    chosen = ({ items: shown }) => shown[1];
    assert.equal(await dialogs.pickOne(items, options), item);
    chosen = ({ items: shown }) => shown.slice(1);
    const picked = await dialogs.pickSome(items, options);
    assert.ok(picked?.[0] === items[1] && picked?.[1] === items[2]);
    chosen = () => undefined;
    assert.deepEqual(
      [await dialogs.pickOne(items, options), await dialogs.pickSome(items, options)],
      [undefined, undefined],
    );
  });

  it('show no link and no hidden character in a quick pick whose items change [attack: notification]', () => {
    const pick = dialogs.createQuickPick(HOSTILE, HOSTILE);
    try {
      dialogs.setItems(pick, [item]);
      const [shown] = pick.items;
      const { title = '', placeholder = '' } = pick as vscode.QuickPick<vscode.QuickPickItem>;
      assertInert([title, placeholder, shown?.label ?? '', shown?.description ?? '', shown?.detail ?? '']);
      assert.equal(shown?.alwaysShow, true);
    } finally {
      pick.dispose();
    }
  });

  it('show no detail in a dialog without details', async () => {
    await dialogs.confirm('Sure?', [], 'Yes');
    assert.deepEqual(recorded.shown, [
      { by: 'Warning', texts: ['Sure?', 'Yes'], buttons: ['Yes'], items: [] },
    ]);
  });
});
