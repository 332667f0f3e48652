import * as vscode from 'vscode';
import type { DocumentTurn } from '../../chat/model/conversation';
import type { Failure } from '../../chat/model/failure';
import type { Problem, ProblemAction } from '../../shared/viewModel';
import { joinSentences } from '../base/paragraph';
import { getBaseUrl } from '../base/settings';

const { t } = vscode.l10n;

/** The text and the actions for each code. `host` is the service's host name. */
const PROBLEM_TEXTS: {
  [C in Failure['code']]: (failure: Failure, host: string) => [text: string, ...actions: ProblemAction[]];
} = {
  keyMissing: () => [t('There is no API key for this service.'), 'setApiKey'],
  unauthorized: () => [t('The service rejected the API key.'), 'setApiKey'],
  forbidden: () => [t('The service does not allow this with your API key.'), 'setApiKey'],
  quotaReached: () => [t('The message limit of your plan is reached. Your text is kept.')],
  validation: ({ fieldErrors }) => [
    t('The service did not accept this.'),
    ...(fieldErrors?.bot_id ? (['changeBot'] as const) : []),
  ],
  notFound: () => [t('The service does not know this conversation, bot or address.'), 'setBaseUrl'],
  rateLimited: () => [t('The service asks to wait before the next request.')],
  tooLarge: () => [t('This is larger than the service takes.')],
  unreachable: ({ reason }, host) => [
    joinSentences(t("Can't reach {0}.", host), getUnreachableHint(reason)),
    'setBaseUrl',
  ],
  timeout: (_, host) => [t('{0} did not answer in time.', host)],
  interrupted: () => [t('The connection ended before the reply did.')],
  invalidResponse: ({ reason }, host) => [
    reason === 'empty' ? t('The service sent an empty answer.') : t('{0} did not give a valid answer.', host),
    'setBaseUrl',
    'showLog',
  ],
  refusedUrl: (_, host) => [t('{0} named an address that is not safe to use.', host), 'showLog'],
  aborted: () => [t('Stopped.')],
  service: ({ status }, host) => [t('{0} had an error ({1}).', host, status ?? '–')],
  fileChanged: () => [t('The file is not what it was: it changed, was moved or was deleted.')],
  gone: () => [t('The service no longer has this conversation; its text is kept here.')],
  unanswered: () => [t("The bot couldn't answer this message.")],
  flagged: () => [t('The service flagged this as against its usage policy.')],
  internal: () => [t('Something went wrong in Parley.'), 'showLog'],
};

function getUnreachableHint(reason: string | undefined): string {
  switch (reason) {
    case 'dns':
      return t('Its name could not be found: check the service URL and your connection.');
    case 'refused':
      return t('Nothing answers there: check that the service is running.');
    case 'certificate':
      return t('Its certificate is not trusted.');
    case 'proxy':
      return t('The proxy refused: check the http.proxy settings.');
    default:
      return t('Check your connection.');
  }
}

/**
 * Converts a failure of a message or another request to the problem that the panel shows. `retry`: whether to
 * offer Retry; `replyBegan`: a part of the reply has arrived, so the message was sent.
 */
export function toProblem(failure: Failure, retry: boolean, replyBegan = false): Problem {
  const maybeSent = retry && !failure.maySend && !replyBegan && failure.code !== 'unanswered';
  return createProblem(failure, retry, maybeSent ? t('The message may have been sent.') : undefined);
}

/**
 * Converts a failed upload to a problem, which names the failed step unless the file is the cause. Retry
 * continues from that step.
 */
export function toUploadProblem(failure: Failure, step: DocumentTurn['failedAt']): Problem {
  if (failure.code === 'fileChanged') return createProblem(failure, true, undefined);
  switch (step) {
    case 'uploading':
      // The storage doesn't get the API key, so another key wouldn't help.
      if (failure.code === 'forbidden' || failure.code === 'unauthorized') {
        return {
          ...createProblem(failure, true, undefined),
          text: t('The storage refused the file.'),
          actions: ['retry'],
        };
      }
      return createProblem(failure, true, t('The upload of the file failed.'));
    case 'registering':
      return createProblem(
        failure,
        true,
        failure.maySend
          ? t('The file is uploaded, but was not added to the conversation.')
          : t('The file is uploaded, and may have been added to the conversation.'),
      );
    default:
      return createProblem(failure, true, t('No upload URL could be had.'));
  }
}

function createProblem(failure: Failure, retry: boolean, more: string | undefined): Problem {
  const [text, ...actions] = PROBLEM_TEXTS[failure.code](failure, getBaseUrl()?.host ?? t('the service'));
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
export function formatFailure(failure: Failure): string {
  const { text, detail, fields } = toProblem(failure, false);
  const fieldTexts = fields?.flatMap(({ name, messages }) =>
    messages.map((message) => `${name}: ${message}`),
  );
  return joinSentences(text, detail, ...(fieldTexts ?? []));
}
