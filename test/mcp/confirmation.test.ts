import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ServerContext } from '@modelcontextprotocol/server';
import { askThroughAgent, readConfirmation } from '../../src/mcp/confirmation';
import { AgentError } from '../../src/shared/agents/agentRequests';

describe('The confirmation that an agent asks its user for', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 1_000_000 }));
  afterEach(() => mock.timers.reset());

  /** Asks, and answers after a time in ms. */
  const answer = (action: 'accept' | 'decline' | 'cancel', afterMs: number) => {
    const { requestState } = askThroughAgent({ id: 'an-id', question: 'Send it?' });
    mock.timers.tick(afterMs);
    return readConfirmation({
      mcpReq: { requestState: () => requestState, inputResponses: { confirm: { action, content: {} } } },
    } as unknown as ServerContext);
  };

  it('is what the user answers', () => {
    assert.deepEqual(answer('accept', 300), { confirmed: 'an-id' });
    assert.throws(() => answer('decline', 300), AgentError);
  });

  // As `claude -p`, `codex exec`, and `codex exec` with all rights do, which say that they can ask.
  it('doesn’t count if the agent canceled, or answered sooner than a user can [attack: agent]', () => {
    for (const action of ['accept', 'decline', 'cancel'] as const)
      assert.deepEqual(answer(action, 299), { agentCanAsk: false });
    assert.deepEqual(answer('cancel', 5000), { agentCanAsk: false });
  });
});
