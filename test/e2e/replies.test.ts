import assert from 'node:assert/strict';
import { repeat } from '../support/repetition';
import { type Canary, getHtmlVectors, startCanary } from '../webview/support/canary';
import { describeInWorkbench } from './support/describeInWorkbench';

const RELOAD_COUNT = repeat(5, 20);

describeInWorkbench(
  'A reply in a real workbench',
  { host: 'either', bot: 'Echo' },
  ({ workbench, service, person }) => {
    it('is shown completely, with 100 KB, while a user types, and no keystroke is lost [fault 35]', async () => {
      const paragraph = 'A paragraph with **bold**, `code` and a [link](https://example.com) in it. ';
      const chunks = Array.from(
        { length: 1400 },
        (_, index) => `${paragraph}${index % 5 ? '' : '\n\n- item\n\n'}`,
      );
      const script = service.script();
      await person.say('a long one');
      await script.opened;
      const streamed = script.chunks(chunks, 4).then(() => script.end());
      const typed = 'the quick brown fox jumps over the lazy dog '.repeat(3);
      const composer = await person.composer();
      await composer.pressSequentially(typed, { delay: 15 });
      assert.equal(await composer.inputValue(), typed);
      await streamed;
      await person.reply('Echo');
      // Not `innerText`, which leaves out what is scrolled out of view.
      const text = await (await person.lastTurn('Echo')).textContent();
      const occurrences = (text ?? '').split('A paragraph with bold, code and a link in it.').length - 1;
      assert.equal(occurrences, chunks.length);
    });

    it(`is shown exactly as the service sent it, after ${RELOAD_COUNT} reloads of the page`, async () => {
      await person.newConversation();
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

    describe('from a hostile service', () => {
      let canary: Canary;

      before(async () => {
        canary = await startCanary();
      });
      after(() => canary?.close());

      it('reaches no canary, although the same browser reaches all of them without Parley’s defenses [attack: canary]', async () => {
        await person.newConversation();
        const script = service.script();
        await person.say('Show me.');
        for (const { text } of canary.createVectors('on')) script.chunk(`${text}\n\n`);
        script.chunk('That was all.');
        script.end();
        assert.match(await person.reply('Echo'), /<meta http-equiv[\s\S]*That was all\./);

        const vectors = getHtmlVectors(canary.createVectors('off')).filter(
          ({ name }) => name !== 'meta-refresh',
        );
        const undefended = await workbench.context.newPage();
        await undefended.evaluate(
          (html) => {
            document.body.innerHTML = html;
            for (const clicked of document.body.querySelectorAll<HTMLElement>('a, button')) clicked.click();
          },
          vectors.map(({ text }) => text).join('\n'),
        );
        await canary.untilHit(
          'off',
          vectors.map(({ name }) => name),
        );
        assert.deepEqual(canary.hits('on'), []);
      });

      it('is blocked by the page’s policy even if it becomes markup [attack: script]', async () => {
        const panel = await workbench.panel();
        const policy = await panel.evaluate(
          () =>
            document.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')?.content ??
            '',
        );
        assert.match(policy, /^default-src 'none'; script-src 'nonce-[\w-]{36}'; /);
        assert.doesNotMatch(policy, /https?:|wss?:|\*|unsafe|cspSource|vscode/);
        const refused = await panel.evaluate(() => {
          try {
            document.createElement('p').innerHTML = '<b>a</b>';
            return false;
          } catch (error) {
            return String(error);
          }
        });
        assert.match(String(refused), /TrustedHTML/);
      });
    });
  },
);
