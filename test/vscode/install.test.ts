import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from './cacheDir';

const run = promisify(execFile);

describe('Installation', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'parley-install-'));
    await cp(path.join(repositoryRoot, 'scripts'), path.join(dir, 'scripts'), { recursive: true });
    await writeFile(path.join(dir, 'package.json'), JSON.stringify({ name: 'x', version: '1.0.0' }));
    await writeLock('1.0.0');
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const install = (env: NodeJS.ProcessEnv = process.env) =>
    run(process.execPath, ['scripts/run.mjs'], { cwd: dir, env });

  async function writeLock(version: string, packages: Record<string, unknown> = {}): Promise<void> {
    const lock = {
      name: 'x',
      version,
      lockfileVersion: 3,
      requires: true,
      packages: { '': { name: 'x', version }, ...packages },
    };
    await writeFile(path.join(dir, 'package-lock.json'), JSON.stringify(lock));
  }

  it('installs once, and again after the lock file has changed', async () => {
    assert.match((await install()).stdout, /Installing packages/);
    assert.equal((await install()).stdout, '');
    await writeLock('1.0.1');
    assert.match((await install()).stdout, /Installing packages/);
  });

  it('keeps packages that were installed manually and match the lock file', async () => {
    const record = path.join(dir, 'node_modules', '.package-lock.json');
    await writeLock('1.0.0', { 'node_modules/y': { version: '2.0.0' } });
    await mkdir(path.dirname(record));
    await writeFile(record, JSON.stringify({ packages: { 'node_modules/y': { version: '2.0.0' } } }));
    const before = await stat(record);
    assert.equal((await install()).stdout, '');
    assert.equal((await stat(record)).mtimeMs, before.mtimeMs);
  });

  it('reports that npm is missing', async () => {
    const { npm_execpath: _, ...env } = process.env;
    await assert.rejects(install({ ...env, PATH: dir, Path: dir }), { stderr: /^npm is missing/ });
  });

  it('reports that the package registry is unreachable', async () => {
    const manifest = { name: 'x', version: '1.0.0', dependencies: { y: '2.0.0' } };
    await writeFile(path.join(dir, 'package.json'), JSON.stringify(manifest));
    await writeLock('1.0.0', {
      '': { ...manifest },
      'node_modules/y': {
        version: '2.0.0',
        resolved: 'http://127.0.0.1:1/y-2.0.0.tgz',
        integrity: 'sha512-AAAA',
      },
    });
    const env = { ...process.env, npm_config_fetch_retries: '0', npm_config_registry: 'http://127.0.0.1:1/' };
    await assert.rejects(install(env), { stderr: /npm can't reach its package registry/ });
  });
});
