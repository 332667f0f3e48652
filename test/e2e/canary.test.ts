import assert from 'node:assert/strict';
import { type Canary, getHtmlVectors, startCanary } from '../webview/support/canary';
import { describeInWorkbench } from './support/describeInWorkbench';

describeInWorkbench(
  'A hostile reply in a real workbench',
  { host: 'either', bot: 'Echo' },
  ({ workbench, service, person }) => {
    let canary: Canary;

    before(async () => {
      canary = await startCanary();
    });
    after(() => canary?.close());

    it('reaches no canary, although the same browser reaches all of them without Parley’s defenses [attack: canary]', async () => {
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
  },
);
