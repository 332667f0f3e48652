import * as vscode from 'vscode';
import { type Conversation, findBaseUrl } from '../../../chat/model/conversation';
import type { Notice } from '../../../shared/view/viewModel';
import type { ConfiguredService } from '../../service/serviceList';

const { t } = vscode.l10n;

/**
 * Creates the notice for a condition of the conversation that the user should know about. `service`: the
 * one it belongs to, if that is set up. `quotaReachedAt`: see Quota. `comparedWith`: the name of the other bot if two were asked side by side.
 */
export function createNotice(
  { unsaved, heldByOtherWindow, hasDamagedFile, remote, bot }: Conversation,
  service: ConfiguredService | undefined,
  quotaReachedAt: number | undefined,
  comparedWith: string | undefined,
): Notice | undefined {
  if (unsaved) {
    return {
      kind: 'storage',
      text: t(
        'This conversation can’t be saved to disk. You can continue; it will be saved as soon as there is space.',
      ),
      actions: ['tryAgain', 'showLog'],
    };
  }
  if (heldByOtherWindow) {
    return {
      kind: 'otherWindow',
      text: t('Another window is writing to this conversation.'),
      actions: ['takeOver'],
    };
  }
  if (hasDamagedFile) {
    return {
      kind: 'storage',
      text: t(
        'Couldn’t read this conversation’s queued messages or attachments. A copy of the file was kept; see the log.',
      ),
      actions: ['showLog'],
    };
  }
  const baseUrl = findBaseUrl({ ...(remote && { remote }), ...(bot && { bot }) });
  if (baseUrl !== undefined && !service) {
    return {
      kind: 'serviceRemoved',
      text: t(
        'This conversation belongs to {0}, which isn’t one of your services. You can read and export it; to continue it, add the service again.',
        formatHost(baseUrl),
      ),
      actions: ['addService'],
    };
  }
  if (remote?.gone) {
    return {
      kind: 'gone',
      text: t(
        'This conversation is no longer on the service; its text is kept here. Your next message starts a new conversation there, without this one’s context.',
      ),
      actions: ['startAnew'],
    };
  }
  if (comparedWith !== undefined) {
    return {
      kind: 'compared',
      text: t('You also asked {0}, in the tab next to this one.', comparedWith),
      actions: ['continueHere'],
    };
  }
  if (quotaReachedAt !== undefined) {
    const since = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
    return {
      kind: 'quota',
      text: t(
        'You reached your plan’s message limit on {0}. You can send messages again as older ones leave the 30-day period, or with a larger plan.',
        since.format(quotaReachedAt),
      ),
      actions: [],
    };
  }
  return undefined;
}

/** Returns the host of a stored URL, which may come from a damaged file. */
function formatHost(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : t('another service');
}
