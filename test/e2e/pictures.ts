// Takes the pictures of the README and the walkthrough from a real VS Code: `npm run pictures`.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { demoBots } from '../service/demo/demoBots';
import { type LocalService, startLocalService } from '../service/localService';
import { TEST_LIMIT_MS } from '../support/testLimit';
import { repositoryRoot } from '../vscode/cacheDir';
import { Person } from './support/person';
import { recordPage } from './support/recording';
import { vscodeDom } from './support/vscodeDom';
import { Workbench } from './support/workbench';

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
/**
 * The theme's name and kind, by the name used in the pictures' files. High contrast shares them, to keep the
 * package small.
 */
const themes = {
  light: ['Light Modern', 'vscode-light'],
  dark: ['Dark Modern', 'vscode-dark'],
} as const;
const walkthrough = path.join(repositoryRoot, 'media', 'walkthrough');
const docs = path.join(repositoryRoot, 'docs');

describe('Pictures', function () {
  this.timeout(TEST_LIMIT_MS);
  let service: LocalService;
  let workbench: Workbench;
  let person: Person;

  before(async () => {
    service = await startLocalService({ bots: demoBots });
    workbench = await Workbench.start({
      pixelRatio: 2,
      settings: { 'parley.baseUrl': service.baseUrl, 'editor.minimap.enabled': false },
      workspaceFiles: {
        'rooms.md': '# Meeting rooms\n\nThe Lilac room seats eight and has a screen.\n',
        'src/schedule.ts': schedule,
        'src/room.ts': 'export interface Room {\n  readonly name: string;\n}\n',
      },
    });
    person = new Person(workbench);
    await rm(walkthrough, { recursive: true, force: true });
    await mkdir(walkthrough, { recursive: true });
    await workbench.page.setViewportSize({ width: 1180, height: 600 });
    await workbench.runCommand('Parley: New Conversation');
    await widenPanel();
  });
  after(async () => {
    await workbench?.stop();
    await service?.close();
  });

  async function widenPanel(): Promise<void> {
    const { mouse } = workbench.page;
    const view = await (await (await workbench.panel()).parentFrame()?.frameElement())?.boundingBox();
    if (!view) throw new Error("The panel isn't visible.");
    await mouse.move(view.x - 2, 400);
    await mouse.down();
    await mouse.move(view.x - 190, 400, { steps: 8 });
    await mouse.up();
    await mouse.move(view.x + 200, 560);
  }

  async function forEachTheme(takePicture: (theme: keyof typeof themes) => Promise<void>): Promise<void> {
    for (const [theme, [label, kind]] of Object.entries(themes)) {
      const panel = await workbench.panel();
      await workbench.runCommand('Preferences: Color Theme');
      await box().fill(label);
      await workbench.quickInput.pick(label);
      await panel.waitForFunction((wanted) => document.body.dataset.vscodeThemeKind === wanted, kind);
      // The panel gets its syntax colors from the host shortly after the theme changes, so wait until they
      // match the editor's.
      const shown = workbench.page.locator(vscodeDom.editor.word);
      for (const editor = shown.getByText('export', { exact: true }).last(); ; ) {
        const color = await panel.evaluate(getKeywordColor);
        if (
          color === undefined ||
          color === (await editor.evaluate((element) => getComputedStyle(element).color))
        )
          break;
        await workbench.page.waitForTimeout(50);
      }
      await takePicture(theme as keyof typeof themes);
    }
  }

  const box = () => workbench.page.locator(`${vscodeDom.quickInput.widget} input`).first();

  /** Runs a command and waits for its box, not for the palette, which lists the same title. */
  async function open(command: string): Promise<void> {
    await workbench.runCommand(`Parley: ${command}`);
    await workbench.page.locator(`${vscodeDom.quickInput.title}:visible`).getByText(command).waitFor();
  }

  /** Takes a picture of the box at the top of the window, with this text in it, and its surroundings. */
  async function captureBox(command: string, text: string, name: string): Promise<void> {
    await open(command);
    await box().fill(text);
    const { width = 0 } = workbench.page.viewportSize() ?? {};
    await saveClip(name, { x: (width - 640) / 2, y: 0, width: 640, height: 300 });
    await workbench.quickInput.cancel();
  }

  async function capturePanel(name: string): Promise<void> {
    const view = await (await (await workbench.panel()).parentFrame()?.frameElement())?.boundingBox();
    if (!view) throw new Error("The panel isn't visible.");
    await saveClip(name, view);
  }

  async function saveClip(name: string, clip: { x: number; y: number; width: number; height: number }) {
    await savePicture(path.join(walkthrough, `${name}.webp`), clip);
  }

  /** Saves the window, or a part of it, as a WebP, which takes a third of a PNG's size. */
  async function savePicture(file: string, clip?: { x: number; y: number; width: number; height: number }) {
    const png = await workbench.page.screenshot({
      ...(clip && { clip }),
      caret: 'hide',
      animations: 'disabled',
    });
    const blank = await workbench.context.newPage();
    await writeFile(file, await toWebp(blank, png));
    await blank.close();
  }

  it('shows the steps of the walkthrough', async () => {
    await forEachTheme(async (theme) => {
      await captureBox('Set Service URL', 'https://bots.example.com/api/v1', `url-${theme}`);
      await captureBox('Set API Key', 'sk-0123456789abcdef0123', `key-${theme}`);
    });
    await person.setUp(service, 'Guide');
    await person.say('Which bots can I talk to, and what can they do?');
    await person.reply('Guide');
    await forEachTheme((theme) => capturePanel(`message-${theme}`));
    await person.newConversation();
    await workbench.explorer.runFromContextMenu(['rooms.md'], 'Upload to Conversation');
    await person.sees('Added');
    // The content of an open editor would make the pictures four times as large.
    await workbench.runCommand('View: Close All Editors');
    await person.say('Which room has a screen?');
    await person.reply('Guide');
    const { width = 0, height = 0 } = workbench.page.viewportSize() ?? {};
    await forEachTheme((theme) => saveClip(`upload-${theme}`, { x: 0, y: 0, width, height }));
  });

  it('records a file that is uploaded and a reply that is made from it', async () => {
    await workbench.page.setViewportSize({ width: 1180, height: 640 });
    await person.newConversation();
    await workbench.editor.open('src/schedule.ts');
    const blank = await workbench.context.newPage();
    await workbench.page.bringToFront();
    const animation = await recordPage(workbench.page, blank, async () => {
      await workbench.explorer.runFromContextMenu(['src/schedule.ts'], 'Upload to Conversation');
      await person.sees('Added');
      await person.say('How does firstFreeSlot treat meetings that touch?');
      await person.reply('Guide');
      await (await workbench.panel()).waitForFunction(getKeywordColor);
      await workbench.page.waitForTimeout(300);
    });
    await blank.close();
    await writeFile(path.join(docs, 'upload-and-ask.webp'), animation);
  });

  it('shows Guide answering from an uploaded file', async () => {
    await workbench.page.setViewportSize({ width: 1400, height: 900 });
    await person.newConversation();
    await workbench.explorer.runFromContextMenu(['src/schedule.ts'], 'Upload to Conversation');
    await person.sees('Added');
    await workbench.editor.open('src/schedule.ts');
    await person.say('How does firstFreeSlot treat meetings that touch?');
    await person.reply('Guide');
    await forEachTheme((theme) => savePicture(path.join(docs, `panel-${theme}.webp`)));
  });
});

/** Returns the color of a keyword in the panel's code, if there is any. */
function getKeywordColor(): string | undefined {
  const words = [...document.querySelectorAll('.code-block code *')];
  const word = words.find((node) => node.children.length === 0 && node.textContent?.trim() === 'export');
  return word && getComputedStyle(word).color;
}

async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const url = await page.evaluate(async (base64) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${base64}`;
    await picture.decode();
    const canvas = document.createElement('canvas');
    canvas.width = picture.naturalWidth;
    canvas.height = picture.naturalHeight;
    canvas.getContext('2d')?.drawImage(picture, 0, 0);
    return canvas.toDataURL('image/webp', 0.5);
  }, png.toString('base64'));
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
