import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { createSelfSignedCertificate } from '../client/support/certificate';
import { repositoryRoot } from './cacheDir';
import { quietSettings } from './quietSettings';
import { findTestExecutable } from './testExecutable';

/** Runs the bundled tests of test/host in VS Code, with a new profile and a copy of the sample folder. */
async function runHostTests(): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-host-'));
  const [userDataDir, workspace] = [path.join(dir, 'user'), path.join(dir, 'workspace')];
  await mkdir(path.join(userDataDir, 'User'), { recursive: true });
  // Chromium without a GPU would draw the terminal on the CPU, by WebGL.
  const settings = {
    ...quietSettings,
    'terminal.integrated.gpuAcceleration': 'off',
    // Tests open the repositories that they need; others have files that Git would be busy with.
    'git.autoRepositoryDetection': false,
    'git.autorefresh': false,
  };
  await writeFile(path.join(userDataDir, 'User', 'settings.json'), JSON.stringify(settings));
  await cp(path.join(repositoryRoot, 'test/vscode/sample-workspace'), workspace, { recursive: true });
  // A certificate that counts as trusted by the machine.
  const certificate = createSelfSignedCertificate('service.invalid');
  const authorities = path.join(dir, 'authorities.pem');
  await writeFile(authorities, certificate.cert);
  try {
    await runTests({
      extensionTestsEnv: {
        NODE_EXTRA_CA_CERTS: authorities,
        PARLEY_TEST_CERTIFICATE: JSON.stringify(certificate),
      },
      vscodeExecutablePath: await findTestExecutable(),
      extensionDevelopmentPath: repositoryRoot,
      extensionTestsPath: path.join(repositoryRoot, 'dist/test/host/index'),
      launchArgs: [
        workspace,
        `--user-data-dir=${userDataDir}`,
        `--extensions-dir=${path.join(dir, 'extensions')}`,
      ],
    });
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

runHostTests().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
