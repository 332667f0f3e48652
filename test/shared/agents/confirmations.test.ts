import assert from 'node:assert/strict';
import { Confirmations } from '../../../src/shared/agents/confirmations';

describe('What the user confirmed through an agent', () => {
  const request = { question: 'Hi', bot: 'echo' };
  const ask = (confirmations: Confirmations, of: object = request) =>
    confirmations.ask(of, 'Send it?').problem.confirmation?.id ?? assert.fail();

  it('is one request, to the last character, and once [attack: agent]', () => {
    const confirmations = new Confirmations();
    const id = ask(confirmations);
    for (const other of [{ ...request, question: 'Hi!' }, { ...request, bot: 'guide' }, {}])
      assert.equal(confirmations.use(id, other), false);
    assert.equal(confirmations.use(undefined, request), false);
    assert.equal(confirmations.use('made up', request), false);
    assert.equal(confirmations.use(id, { ...request }), true);
    assert.equal(confirmations.use(id, request), false);
  });

  it('is forgotten if an agent lets too many questions wait [attack: agent]', () => {
    const confirmations = new Confirmations();
    const ids = Array.from({ length: 101 }, () => ask(confirmations));
    assert.equal(confirmations.use(ids[0], request), false);
    assert.equal(confirmations.use(ids[1], request), true);
    assert.equal(confirmations.use(ids[100], request), true);
  });
});
