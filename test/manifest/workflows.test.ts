import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArguments } from '../runner/arguments';
import { vscodeVersions } from '../vscode/browserInstall';
import { repositoryRoot } from '../vscode/cacheDir';

const folder = path.join(repositoryRoot, '.github/workflows');

describe('The CI workflows', () => {
  it('run only existing scripts and stages', async () => {
    const { scripts } = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8'));
    const calls: string[] = [];
    for (const name of await readdir(folder)) {
      const text = await readFile(path.join(folder, name), 'utf8');
      for (const [call, script = '', , stages = ''] of text.matchAll(
        /\bnpm (?:run )?([\w:]+)( -- (.+))?$/gm,
      )) {
        calls.push(call);
        assert.ok(script in scripts, `${name}: ${call}`);
        if (script === 'test') parseArguments(stages.split(' ').filter(Boolean));
      }
    }
    assert.ok(calls.includes('npm test') && calls.includes('npm run package'), calls.join());
  });

  it('test the oldest VS Code that the manifest allows', async () => {
    const { engines } = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8'));
    const [, minor = ''] = /^\^(\d+\.\d+)\.0$/.exec(engines.vscode) ?? [];
    assert.ok(vscodeVersions.oldest.startsWith(`${minor}.`), `${vscodeVersions.oldest} for ${minor}`);
    const text = await readFile(path.join(folder, 'ci.yml'), 'utf8');
    assert.match(text, /release: \[oldest, newest\]/);
  });

  it('pin each action to a commit, and name its version', async () => {
    for (const { name, text } of await readJobs()) {
      for (const [use] of text.matchAll(/^ +(?:- )?uses:.*$/gm)) {
        assert.match(use, /uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name);
      }
    }
  });

  it('give each job the permissions that it names and no others, and no checkout the token', async () => {
    for (const file of await readdir(folder)) {
      assert.match(await readFile(path.join(folder, file), 'utf8'), /^permissions: \{\}$/m, file);
    }
    for (const { name, text } of await readJobs()) {
      const [, permissions = ''] = /^ {4}permissions:\n((?: {6}.+\n)+)/m.exec(text) ?? [];
      assert.notEqual(permissions, '', name);
      assert.equal(permissions.includes('contents: write'), name === 'release.yml publish-github', name);
      const checkouts = text.split('uses: actions/checkout@').length - 1;
      assert.equal(text.split('persist-credentials: false').length - 1, checkouts, name);
    }
  });

  it('let no job that has a secret, an identity or write permission run anything but locked tools', async () => {
    const trusted: string[] = [];
    for (const { name, text } of await readJobs()) {
      assert.doesNotMatch(text, /\bnpx\b|npm install|npm i\b|npm exec/, name);
      if (!/secrets\.|github\.token|: write$/m.test(text)) continue;
      trusted.push(name);
      assert.match(text, /^ {4}needs: /m, name);
      // Nothing of the repository is used but the lock file of these tools, and npm runs no script of a package.
      const checkouts = text.split('uses: actions/checkout@').length - 1;
      const [only, alone] = ['sparse-checkout: .github/publish/\n', 'sparse-checkout-cone-mode: false\n'];
      for (const line of [only, alone]) assert.equal(text.split(line).length - 1, checkouts, name);
      for (const [command] of text.matchAll(/\bnpm .*$/gm))
        assert.equal(command, 'npm ci --ignore-scripts', name);
    }
    assert.deepEqual(
      trusted,
      ['attest', 'publish-marketplace', 'publish-open-vsx', 'publish-github'].map(
        (job) => `release.yml ${job}`,
      ),
    );
  });

  it('publish only what all tests and the packaging have passed and what is attested, each by itself and repeatably', async () => {
    const jobs = new Map((await readJobs()).map(({ name, text }) => [name, text]));
    const expected = {
      test: ['- run: npm run test:all'],
      package: ['- run: npm run package', "grep -q '^- ' notes.md"],
      attest: ['needs: [test, package]', "if: github.ref_type == 'tag'", 'subject-path: release/*'],
      'publish-marketplace': [
        'needs: attest',
        'environment: marketplace',
        '--azure-credential --skip-duplicate',
      ],
      'publish-open-vsx': ['needs: attest', 'environment: open-vsx', '--skip-duplicate'],
      'publish-github': ['needs: attest', 'environment: github', '--draft=false --prerelease="$prerelease"'],
    };
    for (const [job, lines] of Object.entries(expected))
      for (const line of lines) assert.ok(jobs.get(`release.yml ${job}`)?.includes(line), `${job}: ${line}`);
  });

  it('publish with tools whose versions and contents are locked, from no registry by name', async () => {
    const read = async (name: string) =>
      JSON.parse(await readFile(path.join(repositoryRoot, '.github/publish', name), 'utf8'));
    const { dependencies } = await read('package.json');
    const { packages } = await read('package-lock.json');
    assert.deepEqual(packages[''].dependencies, dependencies);
    for (const [name, locked] of Object.entries<Record<string, unknown>>(packages)) {
      if (name === '') continue;
      assert.ok(typeof locked.integrity === 'string' && !('resolved' in locked), name);
    }
    for (const [tool, version] of Object.entries(dependencies)) {
      assert.equal(packages[`node_modules/${tool}`]?.version, version);
    }
  });
});

/** Reads the jobs of all workflows. */
async function readJobs(): Promise<{ readonly name: string; readonly text: string }[]> {
  const jobs: { name: string; text: string }[] = [];
  for (const file of (await readdir(folder)).toSorted()) {
    const text = await readFile(path.join(folder, file), 'utf8');
    const [, ...parts] = text.slice(text.indexOf('\njobs:\n')).split(/^ {2}(?=[\w-]+:\n)/m);
    for (const part of parts) jobs.push({ name: `${file} ${part.slice(0, part.indexOf(':'))}`, text: part });
  }
  assert.ok(jobs.length > 5);
  return jobs;
}
