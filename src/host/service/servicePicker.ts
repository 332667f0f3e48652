import * as vscode from 'vscode';
import { pickOne, showInformation } from '../base/dialogs';
import type { ConfiguredService, ServiceList } from './serviceList';

const { t } = vscode.l10n;

/** Asks for a service if there are several. Returns undefined if there is none, which it says, or the user cancels. */
export async function pickService(
  { all }: Pick<ServiceList, 'all'>,
  title: string,
): Promise<ConfiguredService | undefined> {
  if (all.length === 0) void showInformation(t('Connect to a service first.'));
  if (all.length < 2) return all[0];
  const items = all.map((service) => ({ label: service.name, description: service.host, service }));
  return (await pickOne(items, { title, placeHolder: t('Select a service') }))?.service;
}
