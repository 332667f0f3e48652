import assert from 'node:assert/strict';
import { repeat } from '../support/repetition';
import { describeInWorkbench } from './support/describeInWorkbench';

const RELOAD_COUNT = repeat(5, 20);

describeInWorkbench(
  'A page that is reloaded while a reply streams',
  { host: 'either', bot: 'Echo' },
  ({ workbench, service, person }) => {
    it(`shows the reply exactly as the service sent it, after ${RELOAD_COUNT} reloads`, async () => {
      const script = service.script();
      await person.say('go on and on');
      let sent = '';
      const timer = setInterval(() => {
        const chunk = `${(sent.length * 7919).toString(36)} `;
        sent += chunk;
        script.chunk(chunk);
      }, 5);
      try {
        for (let round = 0; round < RELOAD_COUNT; round++) {
          await workbench.reloadWebviews();
          const sentLength = sent.length;
          const frame = await workbench.panel();
          const body = frame.locator('.markdown').last();
          // The page shows all that was sent before it came back, in order, and continues to stream.
          await frame.waitForFunction(
            ([element, length]) => (element as HTMLElement).textContent?.length >= (length as number),
            [await body.elementHandle(), sentLength] as const,
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
  },
);
