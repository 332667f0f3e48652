import type { AgentCall, AgentRequest, RequestInput, RequestOutput } from '../shared/agents/agentRequests';

/** One call of an agent. */
export interface BackendCall extends AgentCall {
  readonly signal: AbortSignal;
  /** The folders that the agent works in. */
  readonly folders: readonly string[];
  /** Called while a reply streams, with the number of characters so far. */
  onProgress(characters: number): void;
}

/** Answers an agent: asks a window of VS Code, or the service itself. */
export interface Backend {
  /** Throws AgentError if there is no result. */
  request<R extends AgentRequest>(
    name: R,
    input: RequestInput<R>,
    call: BackendCall,
  ): Promise<RequestOutput<R>>;
  close(): Promise<void>;
}
