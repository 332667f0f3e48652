import assert from 'node:assert/strict';
import { filterByRank, fuzzyFilter, getPathRank } from '../../../src/shared/text/fuzzyMatch';

describe('The fuzzy filter', () => {
  const filter = (query: string) =>
    fuzzyFilter(
      ['Write Tests', 'Find Problems', 'create-form', 'Reform', 'Fix Or Make'].map((name) => ({ name })),
      query,
    ).map(({ name }) => name);

  it('keeps all items and their order without a query', () => {
    assert.deepEqual(filter(''), ['Write Tests', 'Find Problems', 'create-form', 'Reform', 'Fix Or Make']);
  });

  it('ranks names that start with the query, words that do, names that contain it, and then the rest', () => {
    assert.deepEqual(filter('FO'), ['create-form', 'Reform', 'Find Problems', 'Fix Or Make']);
    assert.deepEqual(filter('f'), ['Find Problems', 'Fix Or Make', 'create-form', 'Reform']);
    assert.deepEqual(filter('write t'), ['Write Tests']);
    assert.deepEqual(filter('fipr'), ['Find Problems']);
  });

  it('leaves out names without the characters of the query in order', () => {
    assert.deepEqual(filter('tw'), []);
    assert.deepEqual(filter('𝒳'), []);
  });
});

describe('The rank of a path', () => {
  const find = (query: string) =>
    filterByRank(
      ['src/app/main.ts', 'app.ts', 'src/snapper.ts', 'docs/apples.md', 'src/a/plan/p.ts'],
      (path) =>
        getPathRank(
          path.slice(path.lastIndexOf('/') + 1),
          path.slice(0, Math.max(0, path.lastIndexOf('/'))),
          query,
        ),
    );

  it('is that of the name, and last that of the folder', () => {
    assert.deepEqual(find('app'), ['app.ts', 'docs/apples.md', 'src/snapper.ts', 'src/app/main.ts']);
  });

  it('is that of the whole path if the query has a slash', () => {
    assert.deepEqual(find('src/a'), ['src/app/main.ts', 'src/a/plan/p.ts', 'src/snapper.ts']);
    assert.deepEqual(find('app/ma'), ['src/app/main.ts']);
    assert.deepEqual(find('/app'), [
      'src/app/main.ts',
      'docs/apples.md',
      'src/snapper.ts',
      'src/a/plan/p.ts',
    ]);
  });
});
