import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { Panel } from '../panel/panel';
import type { Quota } from '../service/quota';
import type { Reachability } from '../service/reachability';
import type { ServiceList } from '../service/serviceList';
import type { SetupGuide } from '../service/setupGuide';
import { Activity } from './activity';
import { notifyOfReplies } from './replyNotifications';
import { StatusItem } from './statusItem';
import { showBadge } from './viewBadge';

/** Registers what is shown outside the panel: the status bar item, the view's badge and notifications. */
export function showStatus(services: {
  chat: Chat;
  setup: SetupGuide;
  serviceList: ServiceList;
  quota: Quota;
  reachability: Reachability;
  panel: Panel;
}): vscode.Disposable {
  const { chat, panel } = services;
  const activity = new Activity(chat);
  return vscode.Disposable.from(
    activity,
    new StatusItem({ ...services, activity }),
    panel.onDidResolveView((view) => showBadge(view, chat, activity)),
    notifyOfReplies(activity, chat, panel),
  );
}
