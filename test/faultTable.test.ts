import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { faultTable } from '../scripts/faultTable.mjs';
import { repositoryRoot } from './vscode/cacheDir';

describe('The table of faults', () => {
  let results: string;
  let tags: readonly string[];

  before(async () => {
    const file = path.join(repositoryRoot, 'test', 'faults.json');
    tags = (JSON.parse(await readFile(file, 'utf8')) as { tag: string }[]).map(({ tag }) => tag);
  });
  beforeEach(async () => {
    results = await mkdtemp(path.join(tmpdir(), 'parley-faults-'));
  });
  afterEach(() => rm(results, { recursive: true, force: true }));

  const ran = (titles: readonly string[], state = 'passed') =>
    writeFile(
      path.join(results, `${state}.json`),
      JSON.stringify({ tagged: titles.map((title) => ({ file: 'test/a.test.ts', title, state })) }),
    );
  const proofs = () => tags.map((tag) => `holds [${tag}]`);

  it('is content where each row has a test that passed, and two rows may share one', async () => {
    await ran([...proofs().slice(2), `holds [${tags[0]}] [${tags[1]}]`]);
    const { table, problems } = faultTable(results);
    assert.deepEqual(problems, []);
    assert.equal(table.match(/\| passed \|$/gm)?.length, tags.length);
  });

  it('tells of a row without a test, of a test that failed or was skipped, and of one for no row', async () => {
    await ran([...proofs().slice(3), 'holds [fault 999]']);
    await ran([`fails [${tags[1]}]`], 'failed');
    await ran([`waits [${tags[2]}]`], 'skipped');
    const { table, problems } = faultTable(results);
    assert.equal(problems.length, 4);
    assert.match(problems.join('\n'), new RegExp(`No test has \\[${tags[0]}\\]`));
    assert.match(problems.join('\n'), new RegExp(`\\[${tags[1]}\\] failed`));
    assert.match(problems.join('\n'), new RegExp(`\\[${tags[2]}\\] skipped`));
    assert.match(problems.join('\n'), /There is no row \[fault 999\]/);
    assert.equal(table.match(/\| failed \|$/gm)?.length, 3);
  });
});
