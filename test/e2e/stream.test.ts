import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';

describeInWorkbench('A reply of 100 KB in a real workbench', { bot: 'Echo' }, ({ service, person }) => {
  it('streams completely while a user types, and no keystroke is lost [fault 35]', async () => {
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
});
