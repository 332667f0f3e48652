import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { getBundlePath } from '../../scripts/l10n';
import { createPseudoBundle, findPlainWords, toPseudo } from '../support/pseudoLocale';
import { repositoryRoot } from '../vscode/cacheDir';
import { describeInWorkbench } from './support/describeInWorkbench';
import { setDisplayLanguage } from './support/displayLanguage';
import { vscodeDom } from './support/vscodeDom';
import type { Workbench } from './support/workbench';

type Messages = Readonly<Record<string, string>>;
type Folders = Pick<Workbench, 'userDataDir' | 'extensionsDir'>;

async function read(file: string): Promise<Messages> {
  return JSON.parse(await readFile(file, 'utf8')) as Messages;
}

/** A pseudo-locale with a generated bundle, and a language that ships. */
const cases = [
  { host: 'Node', language: 'qps-ploc' },
  { host: 'web worker', language: 'de' },
] as const;

for (const { host, language } of cases) {
  const isPseudo = language === 'qps-ploc';
  /** By English message. */
  let messages: Messages;
  /** By key of package.nls.json. */
  let originals: Messages;
  let titles: Messages;

  /** Sets the language, and adds Parley's bundles for the pseudo-locale. */
  async function prepare({ userDataDir, extensionsDir }: Folders): Promise<void> {
    originals = await read(path.join(repositoryRoot, 'package.nls.json'));
    const [installed = ''] = (await readdir(extensionsDir)).filter((name) => /^parley\.parley-/.test(name));
    const folder = path.join(extensionsDir, installed);
    const bundle = path.join(folder, 'l10n', `bundle.l10n.${language}.json`);
    const manifest = path.join(folder, `package.nls.${language}.json`);
    if (isPseudo) {
      await writeFile(bundle, JSON.stringify(createPseudoBundle(Object.keys(await read(getBundlePath())))));
      const entries = Object.entries(originals).map(([key, original]) => [key, toPseudo(original)]);
      await writeFile(manifest, JSON.stringify(Object.fromEntries(entries)));
    }
    [messages, titles] = [await read(bundle), await read(manifest)];
    await setDisplayLanguage(userDataDir, language);
  }

  const options = { host, isolated: true, prepare } as const;
  describeInWorkbench(`Parley in ${language}`, options, ({ workbench, service, person }) => {
    const translate = (message: string) => messages[message] ?? assert.fail(`No translation of ${message}`);
    const command = (key: string) => `Parley: ${titles[`command.${key}`]}`;

    it('lists its commands in the palette under their translated titles', async () => {
      await workbench.runCommand(command('newConversation'));
      await person.waitForFocus();
      await workbench.page.keyboard.press('F1');
      await workbench.page.locator(`${vscodeDom.quickInput.widget} input`).fill('>Parley: ');
      await workbench.quickInput.waitFor(command('newConversation'));
      // VS Code lists the English title below each, so that commands can be found by it too.
      const labels = (await workbench.quickInput.getLabels()).filter((label) => label.startsWith('Parley: '));
      const inEnglish = Object.keys(originals).map((key) => `Parley: ${originals[key]}`);
      const own = Object.keys(titles).map((key) => `Parley: ${titles[key]}`);
      assert.ok(labels.filter((label) => own.includes(label)).length >= 5, `There are ${labels}`);
      // VS Code adds a command of its own for each view.
      const others = labels.filter((label) => ![...own, ...inEnglish].includes(label));
      assert.deepEqual(
        others.filter((label) => !label.startsWith('Parley: Focus on')),
        [],
      );
      await workbench.quickInput.cancel();
    });

    it('asks for key and bot and shows errors in its language', async () => {
      const panel = await workbench.panel();
      await panel.getByText(translate('Chat with your company’s bots without leaving VS Code.')).waitFor();
      await person.press(translate('Set API Key'));
      await workbench.quickInput.waitFor(translate('Set API Key'));
      await workbench.quickInput.type('not-the-key');
      await workbench.notifications.waitFor(translate('The service rejected the API key.'));
      await workbench.notifications.press(
        translate('The service rejected the API key.'),
        translate('Try Again'),
      );
      await workbench.quickInput.waitFor(translate('Set API Key'));
      await person.untilFocusMoved(() => workbench.quickInput.type(service.key));
      await person.press(translate('Choose Bot'));
      await person.untilFocusMoved(() => workbench.quickInput.pick('Echo'));
      await panel.getByRole('textbox', { name: translate('Message'), exact: true }).waitFor();
    });

    it('announces in its language that a reply is complete', async () => {
      const panel = await workbench.panel();
      const composer = panel.getByRole('textbox', { name: translate('Message'), exact: true });
      await composer.fill('42');
      await composer.press('Enter');
      await panel.locator('#announcements').getByText(translate('Reply complete'), { exact: true }).waitFor();
      assert.match(
        await panel.getByRole('article', { name: translate('You'), exact: true }).innerText(),
        /42/,
      );
    });

    it('sets the language of the panel and leaves no text untranslated', async () => {
      const panel = await workbench.panel();
      assert.equal(await panel.locator('html').getAttribute('lang'), language);
      if (!isPseudo) return;
      const text = await panel.locator('body').innerText();
      const own = new Set(['Echo', 'AM', 'PM']);
      assert.deepEqual(
        findPlainWords(text).filter((word) => !own.has(word)),
        [],
      );
    });
  });
}
