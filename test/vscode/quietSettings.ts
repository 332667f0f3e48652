/** User settings for temporary profiles: no popups, no network requests, and no AI features of VS Code. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'chat.disableAIFeatures': true,
  // An editor that opens late would take the selection in the Explorer.
  'explorer.autoReveal': false,
  // As on the desktop. In a browser, VS Code saves a second after an edit, which a slow test would see as saved.
  'files.autoSave': 'off',
  // An older value is replaced seconds after a window has opened: an error is shown if the extension host ends meanwhile.
  'extensions.autoUpdate': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  // VS Code looks for ports that any process opens, and warns when there are more than 20.
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
};
