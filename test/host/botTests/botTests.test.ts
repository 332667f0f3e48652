import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { BotTests } from '../../../src/host/botTests/botTests';
import type { RunKind } from '../../../src/host/botTests/runKind';
import type { BotItem } from '../../../src/host/service/botPicker';
import { closeEditors } from '../support/closeEditors';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { ReportedFiles } from '../support/reportedFiles';
import { type TestServices, useServices } from '../support/testServices';
import { until } from '../support/until';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
/** One for each test, so that late events of the watcher are of no file of another test. */
let folder = '';
let count = 0;
const ECHO = '---\nbot: Echo\n---\n';

/** What a run reported, by the label of the item. */
interface Reported {
  readonly outcomes: Record<string, string>;
  readonly messages: Record<string, string[]>;
  output: string;
  ended: number;
}

describe('Bot tests in the Test Explorer', () => {
  const startServices = useServices();
  let fixture: TestServices;
  let controller: vscode.TestController;
  let tests: BotTests;
  let recorded: RecordedWindow;
  let answer: (shown: Shown) => unknown;
  let reported: Reported;
  let runs: vscode.CancellationTokenSource;

  beforeEach(async () => {
    folder = path.join(root, `botTests${++count}`);
    await mkdir(folder, { recursive: true });
    fixture = await startServices();
    answer = ({ by }) => (by === 'Warning' ? 'Run Tests' : undefined);
    recorded = new RecordedWindow((shown) => answer(shown));
    controller = vscode.tests.createTestController('test.botTests', 'Tests of Bot Tests');
    runs = new vscode.CancellationTokenSource();
    reported = { outcomes: {}, messages: {}, output: '', ended: 0 };
    tests = (await fixture.services.getBotTests()).attachController(recordRuns(controller));
  });
  afterEach(async () => {
    recorded.dispose();
    await fixture.close();
    controller.dispose();
    runs.dispose();
    await closeEditors();
    await rm(folder, { recursive: true, force: true });
  });

  /** Passes everything on to VS Code, and records it. */
  function recordRuns(real: vscode.TestController): vscode.TestController {
    const createTestRun = (...args: Parameters<vscode.TestController['createTestRun']>) => {
      const run = real.createTestRun(...args);
      const report =
        (name: 'passed' | 'failed' | 'errored' | 'skipped') =>
        (item: vscode.TestItem, ...rest: unknown[]) => {
          assert.ok(!(item.label in reported.outcomes), `${item.label} has two outcomes`);
          reported.outcomes[item.label] = name;
          const messages = [rest[0] ?? []].flat().filter((each) => each instanceof vscode.TestMessage);
          reported.messages[item.label] = messages.map(
            ({ message, location }) => `${(location?.range.start.line ?? -1) + 1}: ${message}`,
          );
          (run[name] as (...all: unknown[]) => void)(item, ...rest);
        };
      return Object.assign(Object.create(run), {
        passed: report('passed'),
        failed: report('failed'),
        errored: report('errored'),
        skipped: report('skipped'),
        appendOutput: (text: string, ...rest: [undefined, vscode.TestItem | undefined]) => {
          reported.output += text;
          run.appendOutput(text, ...rest);
        },
        end: () => {
          reported.ended++;
          run.end();
        },
      });
    };
    return Object.create(real, { createTestRun: { value: createTestRun } });
  }

  const write = async (name: string, text: string) => {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return vscode.Uri.file(file);
  };
  const items = (parent: vscode.TestItemCollection): vscode.TestItem[] => [...parent].map(([, item]) => item);
  const ours = () => items(controller.items).filter(({ uri }) => uri?.fsPath.startsWith(folder + path.sep));
  const toTree = (item: vscode.TestItem): unknown =>
    item.children.size === 0 ? item.label : [item.label, ...items(item.children).map(toTree)];
  const list = async () => {
    await tests.resolveItem(undefined);
    await Promise.all(ours().map((item) => tests.resolveItem(item)));
    return ours();
  };
  const run = async (kind: RunKind = 'run', include?: readonly vscode.TestItem[]) => {
    reported = { outcomes: {}, messages: {}, output: '', ended: 0 };
    await tests.runTests(kind, new vscode.TestRunRequest(include ?? (await list())), runs.token);
    return reported;
  };
  const confirmations = () =>
    recorded.shown.filter(({ by, texts }) => by === 'Warning' && texts[0]?.startsWith('Run '));

  it('are listed by file, with groups and questions, and the lines that aren’t understood', async () => {
    const uri = await write(
      'a.bot-test.md',
      `${ECHO}# Prices\n## One?\n- all: x\n## One?\n- all: y\n# Two?\n- al: x\n- any: y\n`,
    );
    await write('node_modules/b.bot-test.md', '# No?\n- all: x\n');
    await write('notes.md', '# No?\n- all: x\n');
    assert.deepEqual((await list()).map(toTree), [
      [`${path.basename(folder)}/a.bot-test.md`, ['Prices', 'One?', 'One?'], 'Two?'],
    ]);
    const [file] = ours();
    const [, two] = items(file?.children ?? assert.fail());
    assert.match(String(two?.error), /“al” isn’t an expectation/);
    const [diagnostic, ...others] = vscode.languages
      .getDiagnostics(uri)
      .filter(({ source }) => source === 'Parley');
    assert.ok(diagnostic && others.every(({ message }) => message === diagnostic.message));
    assert.equal(diagnostic.range.start.line, 9);
  });

  it('are added when their files are created, but not those in excluded folders', async () => {
    const reported = new ReportedFiles();
    await rm(folder, { recursive: true });
    folder = path.join(root, `botTests${++count}`);
    await reported.create(folder, mkdir);
    await reported.create(path.join(folder, 'node_modules'), mkdir);
    reported.dispose();
    assert.deepEqual(await list(), []);
    await write('node_modules/b.bot-test.md', '# No?\n- all: x\n');
    await write('a.bot-test.md', '# One?\n- all: x\n');
    await until(() => ours().some(({ children }) => children.size > 0));
    assert.deepEqual(ours().map(toTree), [[`${path.basename(folder)}/a.bot-test.md`, 'One?']]);
  });

  it('have only labels and messages that can’t imitate others, and no icons [attack: bot tests]', async () => {
    await write('a.bot-test.md', `${ECHO}# \u202eevil $(trash) [a](command:x)?\n- all: x\u202ey\n`);
    const [file] = await list();
    const [question] = items(file?.children ?? assert.fail());
    assert.equal(question?.label, 'evil \\$(trash) [a] (command:x)?');
    const { messages, output } = await run();
    assert.deepEqual(Object.values(messages), [['5: The reply doesn’t contain “x\\u{202e}y”.']]);
    assert.doesNotMatch(output, /(?![\r\n])[\p{Cc}\p{Bidi_Control}]/u);
  });

  it('of a file that a link moves out of the workspace, or that is too large, aren’t read [attack: bot tests]', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'parley-outside-'));
    await writeFile(path.join(outside, 'a.bot-test.md'), '# Secret?\n- all: x\n');
    await symlink(path.join(outside, 'a.bot-test.md'), path.join(folder, 'link.bot-test.md'));
    await write('large.bot-test.md', `# Q?\n- all: x\n${' \n'.repeat(200_000)}`);
    const found = await list();
    await rm(outside, { recursive: true });
    assert.deepEqual(
      found.filter(({ label }) => label !== `${path.basename(folder)}/link.bot-test.md`).map(toTree),
      [`${path.basename(folder)}/large.bot-test.md`],
    );
    assert.ok(found.every(({ children }) => children.size === 0));
    assert.match(
      String(found.find(({ label }) => label === `${path.basename(folder)}/large.bot-test.md`)?.error),
      /larger than 256 KB/,
    );
  });

  it('follow the text of an editor that isn’t saved', async () => {
    // VS Code may keep the text of the document for the next test.
    const uri = await write('unsaved.bot-test.md', `${ECHO}# One?\n- all: x\n`);
    await list();
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) =>
      edit.insert(document.positionAt(document.getText().length), '# Two?\n- all: y\n'),
    );
    await until(() => ours()[0]?.children.size === 2);
    const { outcomes } = await run();
    assert.deepEqual(outcomes, { 'One?': 'failed', 'Two?': 'failed' });
  });

  it('follow the text of an editor that is changed while the file is read from a slow disk', async () => {
    const uri = await write('slow.bot-test.md', `${ECHO}# One?\n- all: x\n`);
    const [item] = await list();
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document);
    const { fs } = vscode.workspace;
    let isReading = false;
    let finishReading: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finishReading = resolve;
    });
    const readFile: typeof fs.readFile = async (file) => {
      const bytes = await fs.readFile(file);
      isReading = true;
      await finished;
      return bytes;
    };
    Object.defineProperty(vscode.workspace, 'fs', { value: { ...fs, readFile }, configurable: true });
    try {
      const reading = tests.resolveItem(item);
      await until(() => isReading);
      await editor.edit((edit) =>
        edit.insert(document.positionAt(document.getText().length), '# Two?\n- all: y\n'),
      );
      await until(() => item?.children.size === 2);
      finishReading();
      await reading;
    } finally {
      Object.defineProperty(vscode.workspace, 'fs', { get: () => fs, configurable: true });
    }
    assert.equal(item?.children.size, 2);
  });

  it('say what a run costs, and send nothing without consent', async () => {
    await write('a.bot-test.md', `${ECHO}# One?\n- all: one\n- tolerance: 1 of 3\n# Two?\n- all: two\n`);
    answer = () => undefined;
    const { outcomes, ended } = await run();
    assert.deepEqual([outcomes, ended, fixture.service.acceptedMessages], [{}, 0, 0]);
    assert.deepEqual(confirmations()[0]?.texts, [
      'Run 2 bot tests?',
      'At most 4 messages will be sent. They count toward your limit.',
      'Messages sent from this machine in the last 30 days: about 0',
      'Asked: Echo',
      'Each question gets a new conversation, which is deleted afterwards.',
      'Run Tests',
    ]);
  });

  it('are run in new conversations, with the replies in the output and messages at the lines', async () => {
    await write(
      'a.bot-test.md',
      `${ECHO}# Say one\n- all: one\n# Say two\n- all: two\n- none: say\n- any:\n  - x\n  - z\n`,
    );
    const { outcomes, messages, output, ended } = await run();
    assert.deepEqual(outcomes, { 'Say one': 'passed', 'Say two': 'failed' });
    assert.deepEqual(messages['Say two'], [
      '8: The reply contains “say”, which it must not.',
      '9: The reply contains none of these: “x”, “z”.',
    ]);
    assert.match(output, /Echo ← Say one\r\n\r\nSay one\r\n✓ Passed\r\n/);
    assert.match(output, /1 passed, 1 failed, 0 skipped\r\nMessages sent: 2\r\n/);
    assert.deepEqual(
      [ended, fixture.service.acceptedMessages, fixture.service.conversations.size],
      [1, 2, 0],
    );
    assert.equal(fixture.services.quota.getEstimate(fixture.service.baseUrl).messages, 2);
    assert.deepEqual(fixture.services.chat.listConversations(), []);
  });

  it('can be run one by one, without those that are excluded', async () => {
    await write('a.bot-test.md', `${ECHO}# Group\n## Say one\n- all: one\n## Say two\n- all: two\n`);
    const [file] = await list();
    const [group] = items(file?.children ?? assert.fail());
    const [first, second] = items(group?.children ?? assert.fail());
    assert.ok(file && first && second);
    assert.deepEqual((await run('run', [second])).outcomes, { 'Say two': 'passed' });
    reported = { outcomes: {}, messages: {}, output: '', ended: 0 };
    const again = items(items(ours()[0]?.children ?? assert.fail())[0]?.children ?? assert.fail());
    await tests.runTests('run', new vscode.TestRunRequest([file], again.slice(1)), runs.token);
    assert.deepEqual(reported.outcomes, { 'Say one': 'passed' });
  });

  it('for a bot or a service that there isn’t, or with a line that isn’t understood, are errors that send nothing', async () => {
    await write('a.bot-test.md', '---\nbot: Nobody\n---\n# One?\n- all: x\n');
    await write('b.bot-test.md', '---\nservice: other.example.com\n---\n# Two?\n- all: x\n');
    await write('c.bot-test.md', `${ECHO}# Three?\n- all:\n`);
    await write('d.bot-test.md', '---\nbots: Echo\n---\n# Four?\n- all: x\n');
    const { outcomes, messages } = await run();
    assert.deepEqual(new Set(Object.values(outcomes)), new Set(['errored']));
    assert.deepEqual(messages['One?'], ['1: Bot “Nobody” not found. Available bots: Guide, Echo']);
    assert.deepEqual(messages['Two?'], ['1: The service “other.example.com” isn’t one of yours.']);
    assert.match(messages['Three?']?.[0] ?? '', /^5: Add a phrase/);
    assert.match(messages['Four?']?.[0] ?? '', /^2: “bots” isn’t a property/);
    assert.deepEqual([confirmations().length, fixture.service.acceptedMessages], [0, 0]);
  });

  it('ask the default bot unless the file names one, and find the service by its host', async () => {
    await write(
      'a.bot-test.md',
      `---\nservice: ${new URL(fixture.service.baseUrl).host}\n---\n# Say one\n- all: one\n`,
    );
    assert.deepEqual((await run()).outcomes, { 'Say one': 'passed' });
  });

  it('stop in the middle of a reply when the run is canceled; the rest is skipped', async () => {
    await write(
      'a.bot-test.md',
      ECHO + Array.from({ length: 6 }, (_, n) => `# Say ${n}\n- any: say\n`).join(''),
    );
    const scripts = [fixture.service.script(), fixture.service.script(), fixture.service.script()];
    const running = run();
    await Promise.all(scripts.map(({ opened }) => opened));
    runs.cancel();
    const { outcomes, ended } = await running;
    await Promise.all(scripts.map(({ closed }) => closed));
    assert.deepEqual(
      [new Set(Object.values(outcomes)), Object.keys(outcomes).length, ended],
      [new Set(['skipped']), 6, 1],
    );
    assert.deepEqual([fixture.service.acceptedMessages, fixture.service.conversations.size], [3, 0]);
  });

  it('stop at the limit of the plan, say so, and skip the rest', async () => {
    await write(
      'a.bot-test.md',
      ECHO + Array.from({ length: 6 }, (_, n) => `# Say ${n}\n- any: say\n`).join(''),
    );
    fixture.service.inject({
      name: 'status',
      on: 'POST /messages/stream',
      status: 402,
      times: Number.POSITIVE_INFINITY,
    });
    const { outcomes } = await run();
    fixture.service.clearFaults();
    assert.deepEqual(
      [new Set(Object.values(outcomes)), fixture.service.acceptedMessages],
      [new Set(['skipped']), 0],
    );
    const warning = recorded.texts.find((text) => /6 bot tests were skipped\.$/.test(text));
    assert.match(warning ?? '', /^You’ve reached your plan’s message limit/);
  });

  it('stream into the output while the reply streams, one question after the other', async () => {
    await write('a.bot-test.md', `${ECHO}# One\n- any: a\n# Two\n- any: b\n`);
    const [first, second] = [fixture.service.script(), fixture.service.script()];
    const running = run();
    await Promise.all([first.opened, second.opened]);
    first.chunk('the first a ');
    second.chunk('the second b ');
    await until(() => /the (first|second)/.test(reported.output));
    first.end();
    second.end();
    const { output } = await running;
    assert.equal(output.match(/the first a/g)?.length, 1);
    assert.match(
      output,
      /the \w+ [ab] \r\n[\s\S]*(?:✓|✗)[^\n]*\r\n\r\n[\s\S]*the \w+ [ab] \r\n[\s\S]*(?:✓|✗)/,
    );
  });

  const readComparison = () => {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.ok(activeTab?.input instanceof vscode.TabInputTextDiff, 'no diff editor');
    const { original, modified } = activeTab.input;
    const read = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();
    return Promise.all([activeTab.label, read(original), read(modified)]);
  };

  it('are compared with the previous run, side by side, with what got better and worse', async () => {
    await write('a.bot-test.md', `${ECHO}# One\n- any: good\n# Two\n- any: good\n# Three\n- any: three\n`);
    const say = async (kind: RunKind, text: string) => {
      for (const _ of [1, 2, 3]) {
        const script = fixture.service.script();
        script.chunk(text);
        script.end();
      }
      return run(kind);
    };
    await say('run', 'good three');
    await say('previous', 'bad');
    const [label, before, after] = await readComparison();
    assert.match(label, /: 0 better, 3 worse$/);
    assert.match(
      before,
      /## Worse \(3\)\n\n### One\n\nbotTests\d+\/a\.bot-test\.md:4\n\nPassed\n\n> good three/,
    );
    assert.match(
      after,
      /### One\n\nbotTests\d+\/a\.bot-test\.md:4\n\nFailed\n\n- The reply contains none of these: “good”\.\n\n> bad/,
    );
    await say('previous', 'good three');
    const [better, earlier] = await readComparison();
    assert.match(better, /: 3 better, 0 worse$/);
    assert.match(earlier, /Failed\n\n- The reply contains none of these: “good”\.\n\n> bad/);
    assert.equal(
      (await vscode.workspace.openTextDocument(vscode.window.activeTextEditor?.document.uri ?? assert.fail()))
        .languageId,
      'parley-conversation',
    );
  });

  it('are compared one by one if the same is asked twice, with different expectations', async () => {
    await write(
      'a.bot-test.md',
      `${ECHO}# With\nSay zebra\n- any: zebra\n# Without\nSay zebra\n- none: zebra\n`,
    );
    assert.deepEqual((await run()).outcomes, { With: 'passed', Without: 'failed' });
    await run('previous');
    assert.match((await readComparison())[0], /: 0 better, 0 worse$/);
  });

  it('are compared between two bots, which are asked the same', async () => {
    await write('a.bot-test.md', '# How does the zebra sleep?\n- all: zebra\n- none: how does\n');
    answer = ({ by, texts, items: shown }) => {
      if (by === 'Warning') return 'Run Tests';
      const id = texts.includes('Select the first bot') ? 'echo' : 'guide';
      return shown.find((item: BotItem) => item.bot?.id === id);
    };
    const { outcomes } = await run('bots');
    assert.ok(
      confirmations()[0]?.texts.includes('At most 2 messages will be sent. They count toward your limit.'),
    );
    assert.ok(confirmations()[0]?.texts.includes('Asked: Echo, Guide'));
    assert.equal(fixture.service.acceptedMessages, 2);
    assert.equal(outcomes['How does the zebra sleep?'], 'failed');
    const [label, before] = await readComparison();
    assert.match(label, /^Echo ↔ Guide: /);
    assert.match(
      before,
      /^# Echo\n[\s\S]*The reply contains “how does”, which it must not\.[\s\S]*> How does the zebra sleep\?/,
    );
  });
});
