import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { AgentError, type AgentProblem } from '../shared/agents/agentRequests';
import { agentTexts } from '../shared/agents/agentTexts';
import type { BackendCall } from './backend';

/** What came of asking the user through the agent. */
export type Confirmation = Partial<Pick<BackendCall, 'confirmed' | 'agentCanAsk'>>;

/** The name of the question to the user. */
const CONFIRM = 'confirm';
/** In ms. Nobody reads a question sooner: an agent that runs without its user has answered by itself. */
const MIN_ANSWER_MS = 300;

/** Returns the result that makes the agent ask the user. */
export function askThroughAgent({
  id,
  question,
}: NonNullable<AgentProblem['confirmation']>): InputRequiredResult {
  const elicited = inputRequired.elicit({
    message: question,
    requestedSchema: { type: 'object', properties: {} },
  });
  return inputRequired({
    inputRequests: { [CONFIRM]: elicited },
    requestState: [id, Date.now()].join(' '),
  });
}

/**
 * Returns what the user answered through the agent. One that has no user to ask says so by itself: `claude -p` cancels, `codex
 * exec` declines. Such an agent isn't asked to pass the question on again. Throws AgentError if the user declined.
 */
export function readConfirmation({ mcpReq }: ServerContext): Confirmation {
  const state = mcpReq.requestState();
  if (typeof state !== 'string') return {};
  const [confirmed = '', askedAt] = state.split(' ');
  const response = inputResponse(mcpReq.inputResponses, CONFIRM);
  const action = response.kind === 'elicit' ? response.action : 'decline';
  if (action === 'cancel' || Date.now() - Number(askedAt) < MIN_ANSWER_MS) return { agentCanAsk: false };
  if (action === 'accept') return { confirmed };
  throw new AgentError({ code: 'refused', message: agentTexts.declined });
}
