import * as vscode from 'vscode';
import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';
import { Activity } from './activity';
import { notifyOfReplies } from './replyNotifications';
import { StatusItem } from './statusItem';
import { showBadge } from './viewBadge';

/** What is shown outside the panel: the status bar item, the view's badge and notifications. */
export function registerStatus(services: Services) {
  const { chat, panel } = services;
  return {
    start: () => {
      const activity = new Activity(chat);
      return vscode.Disposable.from(
        activity,
        new StatusItem({ ...services, activity }),
        panel.onDidResolveView((view) => showBadge(view, activity)),
        notifyOfReplies(activity, chat, panel),
      );
    },
  } satisfies Feature;
}
