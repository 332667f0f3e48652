import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { AgentError } from '../shared/agents/agentRequests';
import type { Backend } from './backend';
import { createCall } from './callContext';
import { unlessRefused } from './results';

/**
 * Offers the user's and the workspace's prompts. They can change at any time, so they are listed for each request rather
 * than registered.
 */
export function registerMcpPrompts(server: McpServer, backend: Backend): void {
  server.server.registerCapabilities({ prompts: {} });
  server.server.setRequestHandler('prompts/list', async (_, ctx) => {
    const call = await createCall(server, ctx);
    const { prompts } = await unlessRefused(backend.request('list_prompts', {}, call), { prompts: [] });
    return {
      prompts: prompts.map(({ name, description, arguments: inputs }) => ({
        name,
        ...(description !== undefined && { description }),
        arguments: inputs.map((input) => ({ ...input, required: true })),
      })),
    };
  });
  server.server.setRequestHandler('prompts/get', async ({ params }, ctx) => {
    const { name, arguments: values = {} } = params;
    try {
      const call = await createCall(server, ctx);
      const { text } = await backend.request('get_prompt', { name, arguments: values }, call);
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    }
  });
}
