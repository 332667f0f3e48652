import * as vscode from 'vscode';
import type { Failure } from '../../chat/model/failure';
import type { DocumentTurn } from '../../chat/model/turn';
import type { Problem, ProblemAction } from '../../shared/view/viewModel';
import { joinSentences } from '../base/localizedText';
import { readServices } from './serviceList';

const { t } = vscode.l10n;

/** The text and the actions for each code. `host` is the service's host name. */
const PROBLEM_TEXTS: {
  [C in Failure['code']]: (failure: Failure, host: string) => [text: string, ...actions: ProblemAction[]];
} = {
  serviceMissing: () => [
    t('This conversation’s service was removed from your services. Add it again to continue.'),
    'addService',
  ],
  keyMissing: () => [t('There is no API key for this service.'), 'setApiKey'],
  unauthorized: () => [t('The service rejected the API key.'), 'setApiKey'],
  forbidden: () => [t('The service doesn’t allow this with your API key.'), 'setApiKey'],
  quotaReached: () => [t('You’ve reached your plan’s message limit. Your text is kept.')],
  validation: ({ reason, fieldErrors }) => [
    reason === 'folder'
      ? t('The service needs a folder for the file. Retry to choose one.')
      : joinSentences(
          t('The service didn’t accept the request.'),
          fieldErrors?.document_ids &&
            t('Check that the bot can access the folders that contain the documents.'),
        ),
    ...(fieldErrors?.bot_id ? (['changeBot'] as const) : []),
  ],
  notFound: () => [t('The service couldn’t find this conversation, bot, or URL.'), 'setBaseUrl'],
  rateLimited: () => [t('The service asked Parley to wait before sending another request.')],
  tooLarge: () => [t('The request is larger than the service allows.')],
  unreachable: ({ reason }, host) => [
    joinSentences(t('Can’t reach {0}.', host), getUnreachableHint(reason)),
    'setBaseUrl',
  ],
  timeout: (_, host) => [t('{0} didn’t respond in time.', host)],
  interrupted: () => [t('The connection was closed before the reply was complete.')],
  invalidResponse: ({ reason }, host) => [
    reason === 'empty' ? t('The service sent an empty response.') : t('{0} sent an invalid response.', host),
    'setBaseUrl',
    'showLog',
  ],
  refusedUrl: (_, host) => [t('{0} returned a URL that isn’t safe to use.', host), 'showLog'],
  aborted: () => [t('Stopped.')],
  service: ({ status }, host) => [t('{0} returned an error ({1}).', host, status ?? '–')],
  fileChanged: () => [t('The file was changed, moved, or deleted.')],
  gone: () => [t('This conversation is no longer on the service; its text is kept here.')],
  unanswered: () => [t('The bot couldn’t answer this message.')],
  flagged: () => [t('The service flagged this as a violation of its usage policy.')],
  internal: () => [t('Something went wrong in Parley.'), 'showLog'],
};

function getUnreachableHint(reason: string | undefined): string {
  switch (reason) {
    case 'dns':
      return t('The host name couldn’t be found. Check the service URL and your connection.');
    case 'refused':
      return t('The connection was refused. Check that the service is running.');
    case 'certificate':
      return t('Its certificate isn’t trusted.');
    case 'proxy':
      return t('The proxy refused the connection. Check the http.proxy settings.');
    default:
      return t('Check your connection.');
  }
}

/**
 * Converts a failure of a message or another request to the problem that the panel shows. `retry`: whether to
 * offer Retry; `replyBegan`: a part of the reply has arrived, so the message was sent; `baseUrl`: that of the service.
 */
export function toProblem(failure: Failure, retry: boolean, replyBegan = false, baseUrl?: string): Problem {
  const maybeSent = retry && !failure.maySend && !replyBegan && failure.code !== 'unanswered';
  return createProblem(failure, retry, maybeSent ? t('The message may have been sent.') : undefined, baseUrl);
}

/**
 * Converts a failed upload to a problem, which names the failed step unless the file is the cause. Retry
 * continues from that step.
 */
export function toUploadProblem(failure: Failure, step: DocumentTurn['failedAt'], baseUrl?: string): Problem {
  const create = (more?: string) => createProblem(failure, true, more, baseUrl);
  if (failure.code === 'fileChanged') return create();
  switch (step) {
    case 'uploading':
      // The storage doesn't get the API key, so another key wouldn't help.
      if (failure.code === 'forbidden' || failure.code === 'unauthorized') {
        return {
          ...create(),
          text: t('The storage server rejected the file.'),
          actions: ['retry'],
        };
      }
      return create(t('Couldn’t upload the file.'));
    case 'registering':
      return create(
        failure.maySend
          ? t('The file was uploaded, but not added to the conversation.')
          : t('The file was uploaded and may have been added to the conversation.'),
      );
    default:
      return create(t('Couldn’t get an upload URL.'));
  }
}

function createProblem(
  failure: Failure,
  retry: boolean,
  more: string | undefined,
  baseUrl: string | undefined,
): Problem {
  const services = readServices();
  const service = services.length > 1 ? services.find((each) => each.baseUrl === baseUrl) : services[0];
  const [text, ...others] = PROBLEM_TEXTS[failure.code](failure, service?.host ?? t('the service'));
  // With several services, the URL of one is changed in the list.
  const actions = others.map((action) =>
    action === 'setBaseUrl' && services.length > 1 ? 'manageServices' : action,
  );
  return {
    text: joinSentences(text, more),
    actions: retry ? ['retry', ...actions] : actions,
    ...(failure.serviceMessage && { detail: failure.serviceMessage }),
    ...(failure.fieldErrors && {
      fields: Object.entries(failure.fieldErrors).map(([name, messages]) => ({ name, messages })),
    }),
    ...(failure.retryAt !== undefined && { retryAt: failure.retryAt }),
  };
}

/** Formats a failure in one line, for a notification. */
export function formatFailure(failure: Failure, baseUrl?: string): string {
  const { text, detail, fields } = toProblem(failure, false, false, baseUrl);
  const fieldTexts = fields?.flatMap(({ name, messages }) =>
    messages.map((message) => `${name}: ${message}`),
  );
  return joinSentences(text, detail, ...(fieldTexts ?? []));
}
