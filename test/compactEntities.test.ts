import assert from 'node:assert/strict';
import { characterEntities } from 'character-entities';
import { compactModule } from '../scripts/esbuild/compactEntities';

describe('compactEntities', () => {
  it('packs the names of characters without losing one', async () => {
    const source = compactModule(characterEntities);
    const url = `data:text/javascript,${encodeURIComponent(source)}`;
    const unpacked = (await import(url)) as { characterEntities: Record<string, string> };
    assert.deepEqual(unpacked.characterEntities, characterEntities);
  });
});
