import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { findTestFiles } from '../../../src/mcp/botTests/findTestFiles';
import { formatJUnit } from '../../../src/mcp/botTests/junit';
import { toLogText } from '../../../src/mcp/botTests/reportText';
import { demoBots } from '../../service/demo/demoBots';
import type { LocalService } from '../../service/localService';
import { withLocalService } from '../../service/support/withLocalService';
import { cases } from '../../support/fuzz';
import { waitUntil } from '../../support/waitUntil';
import { buildServer } from '../support/mcpServer';
import { parseXml, type XmlElement } from './support/parseXml';

describe('parley-mcp test', () => {
  let service: LocalService;
  let folder: string;
  const restart = withLocalService(
    (started) => {
      service = started;
    },
    { bots: demoBots },
  );
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-bot-tests-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = async (name: string, text: string) => {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const start = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const child = spawn(process.execPath, [await buildServer(), 'test', ...args], {
      cwd: folder,
      env: { PARLEY_BASE_URL: service.baseUrl, PARLEY_API_KEY: service.key, ...env },
    });
    const output = { text: '', errors: '' };
    child.stdout.on('data', (data: Buffer) => {
      output.text += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      output.errors += data.toString();
    });
    const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { child, output, exited };
  };
  const run = async (args: readonly string[], env?: NodeJS.ProcessEnv) => {
    const { output, exited } = await start(args, env);
    return { code: await exited, ...output };
  };
  const readReport = async (name = 'report.xml') => parseXml(await readFile(path.join(folder, name), 'utf8'));
  const find = (element: XmlElement, name: string): readonly XmlElement[] => [
    ...(element.name === name ? [element] : []),
    ...element.children.flatMap((child) => find(child, name)),
  ];
  const echo = '---\nbot: Echo\n---\n';

  it('runs the tests of a glob, says what they cost, and reports each with JUnit', async () => {
    await write(
      'docs/a.bot-test.md',
      `${echo}# Group\n## Say one\n- all: one\n## Say two\n- all:\n  - two\n  - three\n`,
    );
    await write('docs/deep/b.bot-test.md', `${echo}# Say four\n- none: four\n`);
    await write('docs/node_modules/x/c.bot-test.md', `${echo}# Never\n- all: x\n`);
    await write('docs/notes.md', '# Not a test\n');
    const { code, text, errors } = await run(['docs/**/*.md', '--junit', 'report.xml']);
    assert.equal(errors, '');
    assert.equal(code, 1);
    const [first = '', ...lines] = text.trim().split('\n');
    assert.equal(
      first,
      '3 questions in 2 files: at most 3 messages, which count toward the limit of your plan.',
    );
    assert.equal(lines.at(-1), '1 passed, 2 failed, 0 skipped. Messages sent: 3.');
    assert.ok(lines.includes('✓ docs/a.bot-test.md:5 Group › Say one'), text);
    assert.ok(lines.includes('    The reply doesn’t contain “three”. (line 10)'), text);
    assert.ok(lines.includes('    | Say four'), text);
    assert.deepEqual([service.acceptedMessages, service.conversations.size], [3, 0]);
    const report = await readReport();
    assert.deepEqual(
      [report.name, report.attributes.tests, report.attributes.failures, report.attributes.skipped],
      ['testsuites', '3', '2', '0'],
    );
    assert.deepEqual(
      find(report, 'testsuite').map(({ attributes }) => [attributes.name, attributes.tests]),
      [
        ['docs/a.bot-test.md', '2'],
        ['docs/deep/b.bot-test.md', '1'],
      ],
    );
    assert.deepEqual(
      find(report, 'testcase').map(({ attributes, children }) => [
        attributes.name,
        attributes.line,
        children[0]?.name,
      ]),
      [
        ['Group › Say one', '5', 'system-out'],
        ['Group › Say two', '7', 'failure'],
        ['Say four', '4', 'failure'],
      ],
    );
  });

  it('takes globs like lines of .gitignore, in any case: a name at any depth, or a folder with everything in it', async () => {
    const names = ['a/x.bot-test.md', 'a/b/y.bot-test.md', 'b/z.bot-test.md', '!w.bot-test.md'];
    for (const name of names) await write(name, '');
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['*.bot-test.md', ['!w.bot-test.md', 'a/b/y.bot-test.md', 'a/x.bot-test.md', 'b/z.bot-test.md']],
      ['a', ['a/b/y.bot-test.md', 'a/x.bot-test.md']],
      ['b/', ['a/b/y.bot-test.md', 'b/z.bot-test.md']],
      ['/B', ['b/z.bot-test.md']],
      ['./a/*.md', ['a/x.bot-test.md']],
      ['a/**/y*', ['a/b/y.bot-test.md']],
      ['!*.md', ['!w.bot-test.md']],
      ['b/z.bot-test.md', ['b/z.bot-test.md']],
    ];
    for (const [glob, found] of cases) assert.deepEqual(await findTestFiles(folder, [glob]), found, glob);
    await assert.rejects(findTestFiles(folder, ['c/**', '']), /no files with bot tests/);
  });

  it('exits with 0 if all pass, also for the files of this folder by default', async () => {
    await write('a.bot-test.md', `${echo}# Say one\n- all: /\\bone\\b/i\n`);
    const { code, text } = await run([]);
    assert.equal(code, 0, text);
  });

  it('refuses before anything is sent what could send more than --max-messages, with exit code 2', async () => {
    await write('a.bot-test.md', `${echo}# Say one\n- all: one\n- tolerance: 1 of 3\n`);
    const refused = await run(['--max-messages', '2']);
    assert.equal(refused.code, 2);
    assert.match(refused.errors, /at most 3 messages.*more than --max-messages 2\. Nothing was sent\./);
    assert.equal(service.acceptedMessages, 0);
    const allowed = await run(['--max-messages', '3']);
    assert.deepEqual([allowed.code, service.acceptedMessages], [0, 2]);
  });

  const refusals: readonly (readonly [what: string, text: string, expected: RegExp])[] = [
    [
      'a line that isn’t understood',
      `${echo}# Q?\n- al: x\n- any: y\n`,
      /a\.bot-test\.md:5: “al” isn’t an expectation/,
    ],
    [
      'a bot that there isn’t',
      '---\nbot: Nobody\n---\n# Q?\n- all: x\n',
      /no bot called “Nobody”.*Guide, Echo/,
    ],
    ['no bot where there are several', '# Q?\n- all: x\n', /Name a bot/],
    [
      'another service',
      `---\nbot: Echo\nservice: other.example.com\n---\n# Q?\n- all: x\n`,
      /for the service “other\.example\.com”/,
    ],
    ['a file that is too large', `${echo}# Q?\n- all: x\n${' \n'.repeat(140_000)}`, /larger than 256 KB/],
  ];
  for (const [what, text, expected] of refusals) {
    it(`sends nothing for ${what}, says why, and exits with 2`, async () => {
      await write('a.bot-test.md', text);
      const { code, errors } = await run(['a.bot-test.md']);
      assert.equal(code, 2, errors);
      assert.match(errors, expected);
      assert.equal(service.acceptedMessages, 0);
    });
  }

  it('says what it needs, and exits with 2', async () => {
    for (const [args, env, expected] of [
      [['--help'], {}, /Usage: parley-mcp test/],
      [[], {}, /no files with bot tests/],
      [['--max-messages', '-1'], {}, /max-messages/],
      [['--max-messages', ''], {}, /whole number/],
      [[], { PARLEY_API_KEY: '' }, /Set PARLEY_BASE_URL and PARLEY_API_KEY/],
      [['--unknown'], {}, /--unknown/],
    ] as const) {
      const { code, errors, text } = await run(args, env);
      assert.deepEqual([code, text], [2, '']);
      assert.match(errors, expected);
    }
  });

  it('follows no link to a folder, and reads no pipe for ever', async () => {
    await write('a.bot-test.md', `${echo}# Say one\n- all: one\n`);
    await symlink('..', path.join(folder, 'loop'));
    const { code, text } = await run([]);
    assert.equal(code, 0, text);
    assert.match(text, /^1 question in 1 file/);
  });

  it('stops at the limit of the plan, and reports the others as skipped', async () => {
    await restart({ quota: 1 });
    await write(
      'a.bot-test.md',
      echo + Array.from({ length: 8 }, (_, n) => `# Say ${n}\n- any: say\n`).join(''),
    );
    const { code, text } = await run(['--junit', 'report.xml']);
    assert.equal(code, 1);
    assert.match(text, /1 passed, 0 failed, 7 skipped\. Messages sent: 1\.$/m);
    assert.equal((await readReport()).attributes.skipped, '7');
    assert.equal(service.acceptedMessages, 1);
  });

  it('has sent no more than it said when it is stopped or killed, and a stopped one deletes its conversations', async () => {
    await write(
      'a.bot-test.md',
      echo + Array.from({ length: 6 }, (_, n) => `# Say ${n}\n- any: say\n`).join(''),
    );
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await restart();
      const scripts = [service.script(), service.script(), service.script()];
      const { child, exited, output } = await start(['--junit', `${signal}.xml`]);
      await Promise.all(scripts.map(({ opened }) => opened));
      child.kill(signal);
      assert.equal(await exited, signal === 'SIGTERM' ? 1 : null);
      await Promise.all(scripts.map(({ closed }) => closed));
      assert.ok(service.acceptedMessages <= 6 && service.acceptedMessages >= 3);
      if (signal === 'SIGKILL') continue;
      assert.match(output.text, /0 passed, 0 failed, 6 skipped/);
      await waitUntil('they are deleted', () => service.conversations.size === 0);
      assert.equal((await readReport(`${signal}.xml`)).attributes.skipped, '6');
    }
  });

  it('has neither the key nor anything that acts in what it writes, whatever a bot says [attack: bot tests]', async () => {
    const hostile = `\u001b]0;title\u0007\u001b[2J\u202ereversed\u2066 ::set-output name=x::y\n::error::z\n##vso[task.x]\n##[add-mask]q\n]]></system-out>&<x a="b">\u0000\ufffe\ud800`;
    const script = service.script();
    script.chunk(hostile);
    script.end();
    await write('a.bot-test.md', `${echo}# Say <it> "now" & \u001b[31m\n- all: x\u202ey\n`);
    const { code, text, errors } = await run(['--junit', 'report.xml'], { GITHUB_ACTIONS: 'true' });
    assert.equal(code, 1);
    const xml = await readFile(path.join(folder, 'report.xml'), 'utf8');
    for (const output of [text + errors, xml]) {
      assert.doesNotMatch(output, /(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u);
      assert.ok(!output.includes(service.key));
    }
    assert.doesNotMatch(text, /^\s*::|##(?:vso)?\[/m);
    assert.match(text, /\\u\{1b\}\]0;title/);
    const [output] = find(await readReport(), 'system-out');
    assert.match(output?.text ?? '', /\]\]><\/system-out>&<x a="b">/);
  });

  it('writes well-formed XML, and inert lines, for any text [attack: bot tests]', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        ']]>',
        '<!--',
        '-->',
        '&amp;',
        '&#0;',
        '"',
        '\u0000',
        '\ufffe',
        '\uffff',
        '\ud800',
        '\u0085',
        '\r\n',
      ),
    );
    const outcome = fc.constantFrom(
      'passed' as const,
      'failed' as const,
      'errored' as const,
      'skipped' as const,
    );
    const texts = fc.array(text, { maxLength: 3 });
    fc.assert(
      fc.property(
        fc.record({
          file: text,
          line: fc.nat(),
          groups: texts,
          title: text,
          outcome,
          messages: texts,
          replies: texts,
          seconds: fc.constant(1),
        }),
        (question) => {
          const [parsed] = find(parseXml(formatJUnit([question])), 'testcase');
          assert.equal(parsed?.attributes.line, String(question.line));
          for (const line of [question.title, ...question.replies].map(toLogText))
            assert.doesNotMatch(line, /(?![\n\t])[\p{Cc}\p{Bidi_Control}]|^\s*::|##\[/mu);
        },
      ),
      cases(300),
    );
  });
});
