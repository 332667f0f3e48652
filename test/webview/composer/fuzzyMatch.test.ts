import assert from 'node:assert/strict';
import { fuzzyFilter } from '../../../src/webview/composer/fuzzyMatch';

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
