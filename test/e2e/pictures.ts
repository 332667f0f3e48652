// Takes the README's picture from the real product: `npm run pictures`.
import path from 'node:path';
import { type LocalService, startLocalService } from '../service/localService';
import { repositoryRoot } from '../vscode/cacheDir';
import { Person } from './support/person';
import { patience, startWorkbench, type Workbench } from './support/workbench';

const schedule = `import { Room } from './room';

/** A meeting in a room; times are minutes since midnight. */
export interface Meeting {
  readonly room: Room;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the first free slot of a room. Touching meetings do not overlap.
 * Returns undefined where the day is full.
 */
export function firstFreeSlot(meetings: readonly Meeting[], minutes: number): number | undefined {
  let start = 9 * 60;
  for (const meeting of meetings.toSorted((a, b) => a.start - b.start)) {
    if (meeting.start - start >= minutes) return start;
    start = Math.max(start, meeting.end);
  }
  return start + minutes <= 17 * 60 ? start : undefined;
}
`;

describe('Pictures', function () {
  this.timeout(4 * patience);
  let service: LocalService;
  let workbench: Workbench;

  before(async () => {
    service = await startLocalService();
    workbench = await startWorkbench({
      settings: { 'parley.baseUrl': service.baseUrl, 'editor.minimap.enabled': false },
      theme: 'Dark Modern',
      workspaceFiles: {
        'README.md': '# Meeting rooms\n',
        'src/schedule.ts': schedule,
        'src/room.ts': 'export interface Room {\n  readonly name: string;\n}\n',
      },
    });
  });
  after(async () => {
    await workbench?.stop();
    await service?.close();
  });

  it('shows Guide answering from an uploaded file', async () => {
    const person = new Person(workbench);
    await person.setUp(service, 'Guide');
    const sash = await (await (await workbench.panel()).parentFrame()?.frameElement())?.boundingBox();
    if (sash) {
      await workbench.page.mouse.move(sash.x - 2, 400);
      await workbench.page.mouse.down();
      await workbench.page.mouse.move(sash.x - 190, 400, { steps: 8 });
      await workbench.page.mouse.up();
    }
    await workbench.editor.open('src/schedule.ts');
    await workbench.runCommand('Parley: Upload to Conversation');
    await service.waitForRequest(({ path }) => path.endsWith('/documents/file'));
    await workbench.notifications.waitUntilGone('Uploading');
    await person.say('How does firstFreeSlot treat meetings that touch?');
    await person.reply('Guide');
    await workbench.screenshot(path.join(repositoryRoot, 'docs', 'panel.png'));
  });
});
