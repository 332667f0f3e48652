import assert from 'node:assert/strict';
import { detectSecret, detectSecretInDiff } from '../../../src/host/files/detectSecret';
import { assertLinear } from '../../support/cpuTime';

const head = (text: string) => new TextEncoder().encode(text);

describe('Secrets', () => {
  it('are detected by name [attack: secrets]', () => {
    const names = [
      ['.env', '.env.local', '.envrc', 'server.pem', 'tls.KEY', 'id_rsa', 'id_rsa.bak', 'id_ed25519'],
      ['a.p12', 'a.pfx', 'a.kdbx', '.npmrc', '.netrc', '_netrc', '.pypirc', '.git-credentials', '.pgpass'],
      ['credentials', 'credentials.json', 'secrets.yaml', 'client_secret_1.json', 'prod.tfvars'],
      ['prod.env', 'app.env.local', '.dev.vars', '.dev.vars.staging', 'local.settings.json', 'auth.json'],
      [
        'application_default_credentials.json',
        'aws-credentials.csv',
        'my-secrets.yaml',
        'app.secrets.prod.yml',
      ],
      [
        '.bash_history',
        '.zsh_history',
        '.python_history',
        '.node_repl_history',
        '.psql_history',
        'fish_history',
      ],
      ['ConsoleHost_history.txt', '.lesshst', '.viminfo', 'rclone.conf', '.terraformrc', 'office.ovpn'],
    ].flat();
    for (const name of names) assert.equal(detectSecret(`/w/${name}`, head('')), 'name', name);
    assert.equal(detectSecret('/project/.ssh/config', head('')), 'name');
    const paths = [
      '.aws/config',
      '.aws/sso/cache/0123.json',
      '.kube/cache/x',
      '.ssh/keys/work',
      '.docker/config.json',
    ];
    const configured = [
      '.config/gh/hosts.yml',
      '.config/gcloud/access_tokens.db',
      '.config/hub',
      '.m2/settings.xml',
    ];
    for (const path of [...paths, ...configured]) {
      assert.equal(detectSecret(`/home/me/${path}`, head('')), 'name', path);
    }
  });

  it('include all internal files of Git [attack: secrets]', () => {
    assert.equal(detectSecret('/w/.git/config', head('')), 'git');
    assert.equal(detectSecret('.git/config', head('')), 'git');
    assert.equal(detectSecret('/w/.git/refs/heads/main', head('')), 'git');
    assert.equal(detectSecret('/w/.github/workflows/ci.yml', head('')), undefined);
  });

  it('are detected by a private key in the content, in UTF-16 too [attack: secrets]', () => {
    for (const kind of ['', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ']) {
      assert.equal(
        detectSecret('/w/a.txt', head(`x\n-----BEGIN ${kind}PRIVATE KEY-----\n`)),
        'privateKey',
        kind,
      );
    }
    assert.equal(detectSecret('/w/a', head('-----BEGIN PGP PRIVATE KEY BLOCK-----')), 'privateKey');
    assert.equal(detectSecret('/w/a', head('PuTTY-User-Key-File-3: ssh-rsa')), 'privateKey');
    const wide = Buffer.from('-----BEGIN PRIVATE KEY-----', 'utf16le');
    assert.equal(detectSecret('/w/a.txt', wide), 'privateKey');
  });

  for (const [what, unit] of [
    ['blanks', ' '],
    ['parts of names', 'secrets'],
  ] as const)
    it(`are looked for in lines of a diff with many ${what} in linear time`, async () => {
      await assertLinear((count) => {
        // One line at a time: 50 of them in one text may be longer than a string can be.
        for (let line = 0; line < 50; line++) detectSecretInDiff(`--- a${unit.repeat(count)}b\n`);
      }, 100);
    });

  it('don’t include public keys and files with similar names', () => {
    const harmless = [
      'environment.ts',
      'keyboard.md',
      'monkey.txt',
      'secretary.md',
      'README.md',
      'gitignore',
      'history.md',
      'env.ts',
      'credentialStore.ts',
      'settings.json',
      'package.json',
      'envelope.txt',
    ];
    for (const name of harmless) assert.equal(detectSecret(`/w/${name}`, head('')), undefined, name);
    assert.equal(detectSecret('/w/.docker/php/Dockerfile', head('')), undefined);
    assert.equal(detectSecret('/w/.config/app.yml', head('')), undefined);
    assert.equal(detectSecret('/w/a.crt', head('-----BEGIN CERTIFICATE-----')), undefined);
  });

  it('are detected in a Git diff, by the paths and the lines [attack: secrets]', () => {
    const createDiff = (path: string, line: string) =>
      `diff --git a/x b/x\n--- /dev/null\n+++ ${path}\n@@ -0,0 +1 @@\n${line}\n`;
    for (const path of [
      'b/.env',
      '.env',
      'b/app/.aws/config',
      '"b/\\303\\251 prod.env"',
      'b/with space/id_rsa\t',
    ])
      assert.equal(detectSecretInDiff(createDiff(path, '+A=1'))?.secret, 'name', path);
    assert.deepEqual(detectSecretInDiff(createDiff('b/.env', '+A=1')), { path: 'b/.env', secret: 'name' });
    assert.equal(detectSecretInDiff('--- a/.env\n+++ /dev/null\n-A=1')?.secret, 'name');
    for (const line of ['+-----BEGIN RSA PRIVATE KEY-----', '-PuTTY-User-Key-File-3: ssh-rsa'])
      assert.equal(detectSecretInDiff(createDiff('b/a.txt', line))?.secret, 'privateKey', line);
    assert.equal(detectSecretInDiff(createDiff('b/a.txt', '+A=1')), undefined);
    assert.equal(detectSecretInDiff(createDiff('b/a.txt', '+see +++ b/.env')), undefined);
    assert.equal(detectSecretInDiff('--- a/.env')?.secret, 'name');
    const key = '-----BEGIN PRIVATE KEY-----';
    assert.deepEqual(detectSecretInDiff(`+${key}`), { path: '', secret: 'privateKey' });
    assert.deepEqual(detectSecretInDiff(`--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-${key}`), {
      path: 'a/a.txt',
      secret: 'privateKey',
    });
  });
});
