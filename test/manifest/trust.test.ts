import assert from 'node:assert/strict';
import manifest from '../../package.json' with { type: 'json' };

describe('The settings in the manifest', () => {
  const { properties } = manifest.contributes.configuration;
  const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;

  it('are restricted in untrusted workspaces unless they are application settings [attack: workspace settings]', () => {
    const workspaceSettings = Object.entries(properties)
      .filter(([, { scope }]) => scope !== 'application')
      .map(([name]) => name);
    assert.ok(workspaceSettings.length > 5);
    assert.deepEqual(restrictedConfigurations.toSorted(), workspaceSettings.toSorted());
  });

  it('include a base URL that no workspace can set [attack: workspace settings]', () => {
    assert.equal(properties['parley.baseUrl'].scope, 'application');
  });
});
