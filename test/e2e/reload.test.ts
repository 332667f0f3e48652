import assert from 'node:assert/strict';
import { repeat } from '../support/repetition';
import { describeInWorkbench } from './support/describeInWorkbench';

const ROUNDS = repeat(5, 20);

describeInWorkbench(
  'A page that is thrown away in the middle of a stream',
  { host: 'either', bot: 'Echo' },
  ({ workbench, service, person }) => {
    it(`shows what the service said, after ${ROUNDS} times`, async () => {
      const script = service.script();
      await person.say('go on and on');
      let sent = '';
      const timer = setInterval(() => {
        const piece = `${(sent.length * 7919).toString(36)} `;
        sent += piece;
        script.chunk(piece);
      }, 5);
      try {
        for (let round = 0; round < ROUNDS; round++) {
          await workbench.reloadWebviews();
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
  },
);
