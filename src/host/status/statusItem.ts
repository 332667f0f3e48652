import * as vscode from 'vscode';
import { toInertLabel, toInertLines } from '../base/inertText';
import { setStatusItem } from '../base/inertUi';
import { formatCount, plural } from '../base/localizedText';
import { Command } from '../base/names';
import type { Quota } from '../service/quota';
import type { Reachability } from '../service/reachability';
import type { ServiceList } from '../service/serviceList';
import type { SetupGuide } from '../service/setupGuide';
import type { Activity } from './activity';
import { formatNewReplies } from './viewBadge';

const { t } = vscode.l10n;

/** The status bar item: shows the state as an icon, with details in the tooltip. */
export class StatusItem implements vscode.Disposable {
  readonly #services: {
    activity: Activity;
    setup: SetupGuide;
    serviceList: ServiceList;
    quota: Quota;
    reachability: Reachability;
  };
  readonly #subscriptions: readonly { dispose(): unknown }[];
  #item: vscode.StatusBarItem | undefined;

  constructor(services: {
    activity: Activity;
    setup: SetupGuide;
    serviceList: ServiceList;
    quota: Quota;
    reachability: Reachability;
  }) {
    this.#services = services;
    const { activity, setup, serviceList, quota, reachability } = services;
    const update = () => this.#item && this.#update(this.#item);
    this.#subscriptions = [
      // The item is not shown until the setup state is known.
      setup.onDidChange(() => this.#update(this.#create())),
      activity.onDidChange(update),
      quota.onDidChange(update),
      reachability.onDidChange(update),
      serviceList.onDidChange(update),
    ];
  }

  dispose(): void {
    for (const listening of this.#subscriptions) listening.dispose();
    this.#item?.dispose();
  }

  #create(): vscode.StatusBarItem {
    if (this.#item) return this.#item;
    this.#item = vscode.window.createStatusBarItem('parley.status', vscode.StatusBarAlignment.Right);
    this.#item.name = 'Parley';
    this.#item.command = Command.focusMessage;
    this.#item.show();
    return this.#item;
  }

  #update(item: vscode.StatusBarItem): void {
    const { icon, count, state } = this.#getState();
    const tooltip = toInertLines([state, ...this.#formatQuota()]);
    const isOther = item.tooltip !== tooltip;
    setStatusItem(item, icon, toInertLabel(count > 1 ? `Parley ${count}` : 'Parley'), tooltip);
    if (!isOther) return;
    item.accessibilityInformation = { label: `Parley, ${tooltip.replaceAll('\n', ' ')}` };
  }

  /** Returns the most important state. */
  #getState(): { icon: string; count: number; state: string } {
    const { activity, setup, reachability } = this.#services;
    const { step, serviceHost: host = '' } = setup.current;
    const { streaming, unseen } = activity;
    const silent = this.#services.serviceList.all.find(({ baseUrl }) => reachability.isSilent(baseUrl));
    if (step === 'baseUrl') return { icon: 'key', count: 0, state: t('No service URL is set.') };
    if (step === 'apiKey') return { icon: 'key', count: 0, state: t('There is no API key for {0}.', host) };
    if (step === 'bot') return { icon: 'key', count: 0, state: t('No bot is chosen.') };
    if (streaming > 0) {
      const state = plural(streaming, 'Receiving a reply.', 'Receiving {0} replies.');
      return { icon: 'loading~spin', count: streaming, state };
    }
    if (silent) return { icon: 'debug-disconnect', count: 0, state: t('Can’t reach {0}.', silent.host) };
    if (unseen > 0) {
      return { icon: 'comment-unresolved', count: unseen, state: formatNewReplies(unseen) };
    }
    return { icon: 'comment-discussion', count: 0, state: t('Ready: {0}', host) };
  }

  #formatQuota(): string[] {
    const { all } = this.#services.serviceList;
    return all.flatMap(({ baseUrl, name }) => {
      const lines = this.#formatQuotaOf(baseUrl);
      return all.length > 1 && lines.length > 0 ? [`${name}:`, ...lines] : lines;
    });
  }

  #formatQuotaOf(url: string): string[] {
    const { quota } = this.#services;
    const { messages, credits } = quota.getEstimate(url);
    return [
      ...(quota.getReachedAt(url) === undefined ? [] : [t('You’ve reached your plan’s message limit.')]),
      ...(messages === 0
        ? []
        : [t('Messages sent from this machine in the last 30 days: about {0}', formatCount(messages))]),
      ...(credits === undefined
        ? []
        : [t('Credits used from this machine in the last 30 days: about {0}', formatCount(credits))]),
    ];
  }
}
