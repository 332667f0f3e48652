import assert from 'node:assert/strict';
import manifest from '../../package.json' with { type: 'json' };

describe('The settings of the manifest', () => {
  const { properties } = manifest.contributes.configuration;
  const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;

  it('have none that an untrusted workspace could set [attack: workspace settings]', () => {
    const ofWorkspaces = Object.entries(properties)
      .filter(([, { scope }]) => scope !== 'application')
      .map(([name]) => name);
    assert.ok(ofWorkspaces.length > 5);
    assert.deepEqual(restrictedConfigurations.toSorted(), ofWorkspaces.toSorted());
  });

  it('have a URL that no workspace can set [attack: workspace settings]', () => {
    assert.equal(properties['parley.baseUrl'].scope, 'application');
  });
});
