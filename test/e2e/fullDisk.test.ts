import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeInWorkbench } from './support/describeInWorkbench';
import { getStorageFolder, readSavedTexts } from './support/savedConversations';

describeInWorkbench('A full disk', {}, ({ workbench, service, person }) => {
  let folder: string | undefined;

  before(async function () {
    // Parley isn't active yet, so its folder doesn't exist.
    const small = getStorageFolder(workbench);
    await mkdir(small, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small], { stdio: 'pipe' });
    } catch (error) {
      console.log(
        `    Skipped: no disk of one megabyte can be mounted here (${String(error).split('\n')[0]}).`,
      );
      this.skip();
    }
    folder = small;
    await person.setUp(service, 'Echo');
  });
  after(async () => {
    if (folder !== undefined) execFileSync('umount', ['--lazy', folder]);
  });

  const findBanner = async () =>
    (await workbench.panel()).getByText('This conversation can’t be saved to disk');

  async function fill(file: string): Promise<void> {
    // Writes as much as fits.
    await writeFile(file, new Uint8Array(2 * 1024 * 1024)).catch((error: NodeJS.ErrnoException) =>
      assert.equal(error.code, 'ENOSPC'),
    );
  }

  it('is reported, also after Try Again; chat continues in memory, and everything is saved once there is room', async () => {
    await person.say('while there is room');
    await person.reply('Echo');
    assert.equal(await (await findBanner()).count(), 0);
    const filler = path.join(folder ?? '', 'filler');
    await fill(filler);
    for (const turn of [2, 3, 4]) {
      // More than what is left in the file's last page.
      await (await person.composer()).fill(`${turn} without room ${'x'.repeat(1900)}`);
      await (await person.composer()).press('Enter');
      assert.match(await person.reply('Echo', turn), new RegExp(`${turn} without room x`));
    }
    await (await findBanner()).waitFor();
    const shown = await person.turns();
    assert.equal(shown.length, 8);
    const conversations = path.join(folder ?? '', 'conversations');
    const file = (await readdir(conversations)).find((name) => name.endsWith('.jsonl')) ?? '';
    assert.doesNotMatch(await readFile(path.join(conversations, file), 'utf8'), /4 without room/);
    await person.press('Try Again');
    await (await findBanner()).waitFor();
    // Saving is tried again every few seconds, so there may be no time to press Try Again once there is room.
    await rm(filler);
    await (await findBanner()).waitFor({ state: 'detached' });
    const saved = await readSavedTexts(workbench, 'while there is room');
    assert.deepEqual(
      saved?.map(({ text }) => text),
      shown,
    );
  });
});
