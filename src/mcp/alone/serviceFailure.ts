import { ServiceError, type ServiceErrorCode } from '../../client/serviceError';
import { AgentError } from '../../shared/agents/agentRequests';
import { agentTexts } from '../../shared/agents/agentTexts';

/** What an agent can do about a failure, in English: models read it. `host/service/failureText.ts` has the texts for users. */
const SENTENCES: Readonly<Record<ServiceErrorCode, string>> = {
  keyMissing: 'Set PARLEY_API_KEY in the environment of this server, and start it again.',
  serviceMissing: 'The service isn’t set up.',
  unauthorized: 'The service rejected PARLEY_API_KEY. Ask the user for a valid key; don’t try again before.',
  forbidden: 'The service doesn’t allow this with PARLEY_API_KEY.',
  quotaReached:
    'The plan’s limit of messages in 30 days is reached. Don’t try again today: each day, the oldest day’s messages stop counting.',
  validation: 'The service didn’t accept the request.',
  notFound: 'The service couldn’t find it, or doesn’t offer this.',
  rateLimited: 'The service asks to wait before another request.',
  tooLarge: 'The request is larger than the service allows.',
  unreachable: 'The service can’t be reached. Check PARLEY_BASE_URL and the connection.',
  timeout: 'The service didn’t respond in time.',
  interrupted: 'The connection was closed before the answer was complete.',
  invalidResponse: 'The service sent an invalid response. Check PARLEY_BASE_URL.',
  refusedUrl: 'The service’s URL isn’t safe to use: it must be https:, except on this machine.',
  aborted: 'Stopped.',
  service: 'The service returned an error.',
};

/** The wait that a 402 asks for: until the oldest day of the last 30 no longer counts. */
const DAY_MS = 24 * 60 * 60 * 1000;
/** For a 429 that doesn't say how long. */
const USUAL_WAIT_MS = 60_000;

/** What a request would send that must not be sent twice. */
type Sent = 'question' | 'document';

const MAY_BE_SENT: Readonly<Record<Sent, string>> = {
  question: agentTexts.maySent,
  document: agentTexts.mayBeUploaded,
};
const NOT_SENT: Readonly<Record<Sent, string>> = {
  question: 'The question was not sent.',
  document: agentTexts.nothingUploaded,
};

/** Describes a failure of the service for an agent. */
export function describeFailure(error: ServiceError, sent?: Sent): string {
  const { code, serviceMessage, fieldErrors = {}, status } = error;
  const fields = Object.entries(fieldErrors).map(([name, texts]) => `${name}: ${texts.join(' ')}`);
  const said = [serviceMessage, ...fields].filter(Boolean).join(' ');
  return [
    SENTENCES[code],
    code === 'service' && status !== undefined && `Its status is ${status}.`,
    said && `The service says: “${said}”`,
    sent && (error.maySend ? NOT_SENT : MAY_BE_SENT)[sent],
  ]
    .filter(Boolean)
    .join(' ');
}

/** Converts an error of the client to what an agent is told; other errors are a fault of Parley. */
export function toAgentError(error: unknown, sent?: Sent): AgentError {
  if (error instanceof AgentError) return error;
  if (!(error instanceof ServiceError)) {
    return new AgentError({ code: 'refused', message: 'Something went wrong in Parley’s MCP server.' });
  }
  const wait = getWait(error);
  if (wait === undefined) return new AgentError({ code: 'refused', message: describeFailure(error, sent) });
  return new AgentError({
    code: 'retryLater',
    message: describeFailure(error, sent),
    retryAt: Date.now() + wait,
  });
}

function getWait({ code, retryAfterMs }: ServiceError): number | undefined {
  if (code === 'quotaReached') return retryAfterMs ?? DAY_MS;
  if (code === 'rateLimited') return retryAfterMs ?? USUAL_WAIT_MS;
  return retryAfterMs;
}
