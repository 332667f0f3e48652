import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type LocalService, startLocalService } from '../service/localService';
import { Person } from './support/person';
import { patience, startWorkbench, type Workbench } from './support/workbench';

const ROUNDS = 20;
/** The palette would take most of the test's time. */
const RELOAD = { key: 'ctrl+alt+r', command: 'workbench.action.webview.reloadWebviewAction' };

for (const host of ['Node', 'web worker'] as const) {
  describe(`A page that is thrown away in the middle of a stream, extension host: ${host}`, function () {
    this.timeout(4 * patience);
    let service: LocalService;
    let workbench: Workbench;
    let person: Person;

    before(async () => {
      service = await startLocalService();
      workbench = await startWorkbench({
        webWorkerHost: host === 'web worker',
        settings: { 'parley.baseUrl': service.baseUrl },
      });
      await writeFile(path.join(workbench.userDataDir, 'User', 'keybindings.json'), JSON.stringify([RELOAD]));
      await workbench.reload();
      person = new Person(workbench);
      await person.setUp(service, 'Echo');
    });
    after(async () => {
      await workbench?.stop();
      await service?.close();
    });

    it(`shows what the service said, after ${ROUNDS} times at random moments`, async () => {
      const script = service.script();
      await person.say('go on and on');
      let sent = '';
      const timer = setInterval(() => {
        const piece = `${Math.random().toString(36).slice(2)} `;
        sent += piece;
        script.chunk(piece);
      }, 5);
      try {
        for (let round = 0; round < ROUNDS; round++) {
          await workbench.page.waitForTimeout(Math.random() * 100);
          const before = await workbench.panel();
          await workbench.page.keyboard.press('Control+Alt+R');
          while (!before.isDetached()) await workbench.page.waitForTimeout(5);
          const at = sent.length;
          const frame = await workbench.panel();
          const body = frame.locator('.markdown').last();
          // It shows all that was sent when it came back, in order, and goes on.
          await frame.waitForFunction(
            ([element, length]) => (element as HTMLElement).textContent?.length >= (length as number),
            [await body.elementHandle(), at] as const,
          );
          const shown = (await body.textContent()) ?? '';
          assert.ok(sent.startsWith(shown.trim()), `round ${round}`);
        }
      } finally {
        clearInterval(timer);
      }
      script.end();
      await person.reply('Echo');
      const record = [...service.messages.values()].findLast(({ machine }) => machine)?.content ?? '';
      assert.equal(record, sent);
      assert.equal((await person.turns()).at(-1), record.trim());
    });
  });
}
