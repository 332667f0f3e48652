import * as v from 'valibot';
import { agentTools } from './agentTools';

const promptOutput = v.object({
  name: v.string(),
  description: v.exactOptional(v.string()),
  arguments: v.array(v.object({ name: v.string(), description: v.exactOptional(v.string()) })),
});

/** All requests of the MCP server, by name: the tools, and what its resources and prompts need. */
export const agentRequests = {
  ...agentTools,
  /** What the user wrote of bots in the settings, for the server's instructions; sends nothing. */
  describe_bots: {
    input: v.object({}),
    output: v.object({ bots: v.array(v.object({ bot: v.string(), description: v.string() })) }),
  },
  list_prompts: { input: v.object({}), output: v.object({ prompts: v.array(promptOutput) }) },
  get_prompt: {
    input: v.object({ name: v.string(), arguments: v.record(v.string(), v.string()) }),
    output: v.object({ text: v.string() }),
  },
} as const;

export type AgentRequest = keyof typeof agentRequests;
export type RequestInput<R extends AgentRequest> = v.InferOutput<(typeof agentRequests)[R]['input']>;
export type RequestOutput<R extends AgentRequest> = v.InferOutput<(typeof agentRequests)[R]['output']>;

const problemSchema = v.object({
  /**
   * `confirm`: the user has to be asked first, see `confirmation`. `retryLater`: see `retryAt`. `windowClosed`: set by the
   * server only. `refused`: anything else.
   */
  code: v.picklist(['refused', 'retryLater', 'confirm', 'windowClosed', 'busy']),
  message: v.string(),
  /** ms since the epoch. */
  retryAt: v.exactOptional(v.number()),
  /** Set with `confirm`: the question to the user, and the ID with which the same request is repeated if they agree. */
  confirmation: v.exactOptional(v.object({ id: v.string(), question: v.string() })),
});

export type AgentProblem = v.InferOutput<typeof problemSchema>;

/** Why a request has no result, in a sentence for agents. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly problem: AgentProblem;

  constructor(problem: AgentProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** What the server says about the call that it passes on. */
const callSchema = v.object({
  /** The agent's name, which the agent chooses itself. */
  agent: v.pipe(v.string(), v.maxLength(200)),
  /** Whether the agent can ask the user. */
  agentCanAsk: v.boolean(),
  /** The ID of a confirmation that the user gave. */
  confirmed: v.exactOptional(v.pipe(v.string(), v.maxLength(100))),
});

export type AgentCall = v.InferOutput<typeof callSchema>;

/** The version of the messages below; a window answers only the same one. */
export const SOCKET_VERSION = 1;

const requestId = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** What the server says to a window. The first message must be `hello`. */
export const toWindowSchema = v.variant('type', [
  v.object({
    type: v.literal('hello'),
    version: v.number(),
    token: v.pipe(v.string(), v.maxLength(200)),
  }),
  v.object({
    type: v.literal('request'),
    id: requestId,
    name: v.picklist(Object.keys(agentRequests) as AgentRequest[]),
    /** Checked by the schema of the request. */
    input: v.unknown(),
    call: callSchema,
  }),
  v.object({ type: v.literal('cancel'), id: requestId }),
]);

export type ToWindow = v.InferOutput<typeof toWindowSchema>;

/** What a window says to the server. `welcome` answers `hello`; a wrong token is answered by closing. */
export const toServerSchema = v.variant('type', [
  v.object({ type: v.literal('welcome'), version: v.number() }),
  v.object({ type: v.literal('progress'), id: requestId, characters: v.number() }),
  v.object({ type: v.literal('result'), id: requestId, output: v.unknown() }),
  v.object({ type: v.literal('problem'), id: requestId, problem: problemSchema }),
]);

export type ToServer = v.InferOutput<typeof toServerSchema>;
