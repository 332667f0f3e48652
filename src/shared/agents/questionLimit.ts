import { countCodePoints, MESSAGE_LIMIT } from '../conversation/message';
import { AgentError } from './agentRequests';

/** Returns an agent's question without surrounding space. Throws AgentError if it is empty or too long. */
export function checkQuestion(text: string): string {
  const question = text.trim();
  if (question === '')
    throw new AgentError({ code: 'refused', message: 'The question is empty. Nothing was sent.' });
  const count = countCodePoints(question);
  if (count <= MESSAGE_LIMIT) return question;
  const message = `The question is ${count} characters long; the limit is ${MESSAGE_LIMIT}. Nothing was sent. Shorten it, or write the long part to a file, upload that with upload_document, and ask about it in the same conversation.`;
  throw new AgentError({ code: 'refused', message });
}
