import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import * as v from 'valibot';
import { AgentBudget } from '../../src/host/agents/agentBudget';
import { AgentConnection, type AnswerAgent } from '../../src/host/agents/agentConnection';
import type { LocalSocket } from '../../src/host/platform/localAccess';
import { localAccess, openPrivateFolder } from '../../src/host/platform/nodeLocalAccess';
import { WindowConnection } from '../../src/mcp/attached/windowConnection';
import { type OpenWindow, readWindows, sortWindows } from '../../src/mcp/attached/windowList';
import type { BackendCall } from '../../src/mcp/backend';
import { AgentError, SOCKET_VERSION, toWindowSchema } from '../../src/shared/agents/agentRequests';
import { MessageLines, toMessageLine } from '../../src/shared/agents/messageLines';
import { cases } from '../support/fuzz';
import { waitUntil } from '../support/waitUntil';

const TOKEN = 'a1'.repeat(32);
const HELLO = toMessageLine({ type: 'hello', version: SOCKET_VERSION, token: TOKEN });
const CALL: BackendCall = {
  agent: 'Test Agent',
  agentCanAsk: false,
  folders: [],
  signal: new AbortController().signal,
  onProgress: () => undefined,
};
const ask = (id: number, question = 'Hi') =>
  toMessageLine({
    type: 'request',
    id,
    name: 'search_conversations',
    input: { query: question },
    call: { agent: 'Test Agent', agentCanAsk: false },
  });

describe('The socket for MCP servers', () => {
  let socket: LocalSocket;
  let answer: AnswerAgent;
  let errors: unknown[];
  let calls: unknown[];
  let closed: number;
  const clients: Socket[] = [];

  beforeEach(async () => {
    errors = [];
    calls = [];
    closed = 0;
    answer = async (_, input) => {
      calls.push(input);
      return { conversations: [] };
    };
    socket = await localAccess.listen((connection) => {
      connection.onClose(() => closed++);
      new AgentConnection(
        connection,
        TOKEN,
        (...args) => answer(...args),
        (error) => errors.push(error),
      );
    });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await socket.close();
  });

  const window = (token = TOKEN): OpenWindow => ({
    ...{ id: 'a', name: 'a', folders: [], token },
    address: socket.address,
  });
  /** Connects and resolves to what the socket sent once it closed the connection. */
  const sendAndEnd = async (...texts: string[]): Promise<string> => {
    const client = connect(socket.address);
    clients.push(client);
    let received = '';
    client.on('data', (data) => {
      received += data.toString();
    });
    client.on('error', () => undefined);
    const closed = new Promise((resolve) => client.once('close', resolve));
    for (const text of texts) {
      client.write(text);
      // What was received before a connection is reset is lost.
      if (text === HELLO) await waitUntil('the welcome', () => received !== '' || client.destroyed);
    }
    await closed;
    return received;
  };

  it('is in a folder that only this user can enter, and leaves neither when it closes [attack: agents’ socket]', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = path.dirname(socket.address);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    assert.equal((await stat(socket.address)).mode & 0o777, 0o600);
    assert.ok(Buffer.byteLength(socket.address) < 104, socket.address);
    await socket.close();
    await assert.rejects(stat(folder));
    socket = await localAccess.listen(() => undefined);
  });

  it('says nothing and closes for a wrong token, no token, and a request before the token [attack: agents’ socket]', async () => {
    const wrong = toMessageLine({ type: 'hello', version: SOCKET_VERSION, token: TOKEN.replace('a', 'b') });
    const longer = toMessageLine({ type: 'hello', version: SOCKET_VERSION, token: `${TOKEN}0` });
    const shorter = toMessageLine({ type: 'hello', version: SOCKET_VERSION, token: TOKEN.slice(1) });
    const cases = [
      wrong,
      longer,
      shorter,
      wrong + ask(0),
      ask(0) + HELLO,
      '{"type":"hello"}\n',
      'GET / HTTP/1.1\n\n',
    ];
    for (const text of cases) assert.equal(await sendAndEnd(text), '', text);
    assert.equal(await sendAndEnd(toMessageLine({ type: 'hello', version: 1, token: '' })), '');
    assert.deepEqual(calls, []);
    await assert.rejects(WindowConnection.open(window('wrong'.repeat(10))));
  });

  it('closes a connection that sends too much before the token, or a message that is too long [attack: agents’ socket]', async () => {
    assert.equal(await sendAndEnd('x'.repeat(2_000)), '');
    const padded = { type: 'hello', version: SOCKET_VERSION, token: TOKEN, padding: 'x'.repeat(2_000) };
    assert.equal(await sendAndEnd(toMessageLine(padded)), '');
    const long = await sendAndEnd(HELLO, 'x'.repeat(1_100_000));
    assert.match(long, /^\{"type":"welcome","version":1\}\n$/);
  });

  it('closes a connection at the first message that its schema rejects, whatever it is [attack: agents’ socket]', async () => {
    const valid = {
      type: 'request',
      id: 1,
      name: 'list_bots',
      input: {},
      call: { agent: 'a', agentCanAsk: false },
    };
    const forged = fc.oneof(
      fc.json(),
      fc.string().map((text) => text.replaceAll('\n', ' ')),
      fc
        .record({ key: fc.constantFrom('type', 'id', 'name', 'call'), value: fc.jsonValue() })
        .map(({ key, value }) => ({ ...valid, [key]: value }))
        .filter((message) => !v.is(toWindowSchema, message))
        .map((message) => JSON.stringify(message)),
      fc.constantFrom(
        JSON.stringify({ ...valid, name: 'ask_bot', input: { question: 5 } }),
        JSON.stringify({ ...valid, name: 'constructor' }),
        JSON.stringify({ ...valid, name: '__proto__' }),
        '{"__proto__":{"type":"request"}}',
      ),
    );
    answer = async () => assert.fail('It was answered');
    await fc.assert(
      fc.asyncProperty(forged, async (line) => {
        const received = await sendAndEnd(HELLO, `${line}\n`);
        assert.equal(received.split('\n').length, 2, received);
      }),
      cases(50),
    );
    assert.deepEqual(errors, []);
  });

  it('closes a connection that says nothing, and one whose token never ends [attack: agents’ socket]', async () => {
    assert.deepEqual(await Promise.all([sendAndEnd(), sendAndEnd(HELLO.slice(0, 60))]), ['', '']);
  });

  it('closes a connection that says its token twice, or uses the number of a request that runs [attack: agents’ socket]', async () => {
    const welcome = toMessageLine({ type: 'welcome', version: SOCKET_VERSION });
    assert.equal(await sendAndEnd(HELLO, HELLO), welcome);
    let asked = 0;
    answer = () => {
      asked++;
      return new Promise(() => undefined);
    };
    assert.equal(await sendAndEnd(HELLO, ask(1) + ask(1)), welcome);
    assert.equal(asked, 1);
  });

  it('says its version to a server of another one, and closes; that tells its agent', async () => {
    const other = toMessageLine({ type: 'hello', version: SOCKET_VERSION + 1, token: TOKEN });
    const welcome = toMessageLine({ type: 'welcome', version: SOCKET_VERSION });
    assert.equal(await sendAndEnd(other), welcome);
    const newer = await localAccess.listen((connection) =>
      connection.onText(() =>
        connection.send(toMessageLine({ type: 'welcome', version: SOCKET_VERSION + 1 })),
      ),
    );
    try {
      const opened = WindowConnection.open({ ...window(), address: newer.address });
      await assert.rejects(
        opened,
        (error) => error instanceof AgentError && /was updated/.test(error.message),
      );
    } finally {
      await newer.close();
    }
  });

  it('closes a connection that floods it, and others go on [attack: agents’ socket]', async () => {
    const connection = await WindowConnection.open(window());
    const startedAt = performance.now();
    const flood = Array.from({ length: 5000 }, (_, id) => ask(id)).join('');
    await sendAndEnd(HELLO, flood);
    // A thousand of each second that the window needed.
    const limit = 1000 * Math.ceil((performance.now() - startedAt) / 1000);
    assert.ok(calls.length <= limit, `${calls.length} were answered`);
    assert.deepEqual(await connection.request('search_conversations', { query: 'a' }, CALL), {
      conversations: [],
    });
    connection.close();
  });

  it('answers no more than 50 requests of one server at a time, and says so to further ones', async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    answer = async () => {
      await finished;
      return { conversations: [] };
    };
    const connection = await WindowConnection.open(window());
    const requests = Array.from({ length: 60 }, () =>
      connection.request('search_conversations', { query: '' }, CALL).then(
        () => 'answered',
        (error: AgentError) => error.problem.code,
      ),
    );
    await Promise.all(requests.slice(50));
    finish();
    const results = await Promise.all(requests);
    assert.equal(results.filter((result) => result === 'answered').length, 50);
    assert.equal(results.filter((result) => result === 'busy').length, 10);
    connection.close();
  });

  it('passes on cancellation, progress, problems and faults, each to its own request', async () => {
    const connection = await WindowConnection.open(window());
    const stop = new AbortController();
    const progress: number[] = [];
    answer = async (_, input, { signal, onProgress }) => {
      const { query } = input as { query: string };
      if (query === 'problem') throw new AgentError({ code: 'retryLater', message: 'Later', retryAt: 5 });
      if (query === 'fault') throw new TypeError('secret detail');
      if (query !== 'stop') return { conversations: [{ id: query, name: query }] };
      onProgress(7);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new AgentError({ code: 'refused', message: 'Stopped.' });
    };
    const request = (query: string, more: Partial<BackendCall> = {}) =>
      connection.request('search_conversations', { query }, { ...CALL, ...more });
    const stopped = request('stop', {
      signal: stop.signal,
      onProgress: (characters) => {
        progress.push(characters);
        stop.abort();
      },
    });
    const [problem, fault, result] = await Promise.allSettled([
      request('problem'),
      request('fault'),
      request('other'),
    ]);
    await assert.rejects(stopped, { message: 'Stopped.' });
    assert.deepEqual(progress, [7]);
    assert.ok(problem.status === 'rejected' && fault.status === 'rejected' && result.status === 'fulfilled');
    assert.deepEqual(problem.reason.problem, { code: 'retryLater', message: 'Later', retryAt: 5 });
    assert.equal(fault.reason.message, 'Something went wrong in Parley.');
    assert.deepEqual(result.value, { conversations: [{ id: 'other', name: 'other' }] });
    assert.equal(errors.length, 1);
    connection.close();
  });

  it('refuses a result that is too long as JSON, and goes on with others', async () => {
    const connection = await WindowConnection.open(window());
    let finish: () => void = () => undefined;
    answer = async (_, input) => {
      const { query } = input as { query: string };
      if (query === 'long') return { conversations: [{ id: 'a', name: '\u0001'.repeat(6_000_000) }] };
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { conversations: [] };
    };
    const other = connection.request('search_conversations', { query: 'other' }, CALL);
    const long = connection.request('search_conversations', { query: 'long' }, CALL);
    await assert.rejects(long, /^AgentError: The result is too long for an agent/);
    finish();
    assert.deepEqual(await other, { conversations: [] });
    connection.close();
  });

  it('sends no request that was canceled before, and takes no result that isn’t one of its tool', async () => {
    const connection = await WindowConnection.open(window());
    const canceled = connection.request(
      'search_conversations',
      { query: '' },
      { ...CALL, signal: AbortSignal.abort() },
    );
    await assert.rejects(canceled, { message: 'Stopped.' });
    answer = async () => ({ conversations: 'none' });
    await assert.rejects(connection.request('search_conversations', { query: 'a' }, CALL));
    assert.deepEqual(calls, []);
    answer = async () => ({ conversations: [] });
    assert.ok(await connection.request('search_conversations', { query: 'a' }, CALL));
    connection.close();
  });

  it('ends every request of a server once, when its window closes and when the server does', async () => {
    const connection = await WindowConnection.open(window());
    const aborted: AbortSignal[] = [];
    answer = (_, __, { signal }) => {
      aborted.push(signal);
      return new Promise(() => undefined);
    };
    const asked = connection.request('ask_bot', { question: 'Hi' }, CALL);
    const searched = connection.request('search_conversations', { query: '' }, CALL);
    await waitUntil('both requests run', () => aborted.length === 2);
    const ended = Promise.allSettled([asked, searched]);
    await socket.close();
    const texts = (await ended).map((each) => (each.status === 'rejected' ? each.reason.message : ''));
    assert.match(
      texts[0] ?? '',
      /window of VS Code was closed\. The question may have been sent and counted/,
    );
    assert.match(texts[1] ?? '', /Try again\./);
    assert.ok(!connection.isOpen);
    await assert.rejects(connection.request('list_bots', {}, CALL), /was closed/);
    await waitUntil('the answers are aborted', () => aborted.every((signal) => signal.aborted));
    socket = await localAccess.listen(() => undefined);
  });

  for (const [step, text] of [
    ['its connection', ''],
    ['half of its token', HELLO.slice(0, 60)],
    ['its token', HELLO],
    ['half of a request', HELLO + ask(0).slice(0, 60)],
    ['a request', HELLO + ask(0)],
  ] as const) {
    it(`lets go of a server that is killed after ${step}, and answers others`, async () => {
      const other = await WindowConnection.open(window());
      const signals: AbortSignal[] = [];
      answer = (_, __, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      };
      const program = `
        const [address, text] = process.argv.slice(1);
        const socket = require('node:net').connect(address, () => socket.write(text, () => console.log('sent')));`;
      const startedAt = performance.now();
      const child = spawn(process.execPath, ['-e', program, socket.address, text]);
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const isRequest = text.endsWith(ask(0));
      if (isRequest) await waitUntil('the request runs', () => signals.length === 1);
      // Without a whole token, the window closes the connection itself after five seconds.
      if (text.startsWith(HELLO) || performance.now() - startedAt < 5000) assert.equal(closed, 0);
      child.kill('SIGKILL');
      await waitUntil('its connection is closed', () => closed === 1);
      assert.deepEqual(
        signals.map(({ aborted }) => aborted),
        isRequest ? [true] : [],
      );
      answer = async () => ({ conversations: [] });
      assert.deepEqual(await other.request('search_conversations', { query: '' }, CALL), {
        conversations: [],
      });
      assert.deepEqual(errors, []);
      other.close();
    });
  }

  it('finds what a crash left, and removes it only if nothing listens', async () => {
    assert.equal(await localAccess.removeIfAbandoned(socket.address), false);
    assert.ok((await stat(socket.address)).isSocket());
    const folder = await mkdtemp(path.join(tmpdir(), 'parley-agents-'));
    assert.equal(await localAccess.removeIfAbandoned(path.join(folder, 's')), true);
    await assert.rejects(stat(folder));
  });
});

describe('What a crash left of the socket for MCP servers', () => {
  /** Older than anything that a window is writing. */
  const LONG_AGO = new Date(Date.now() - 10 * 60_000);
  const removals: string[] = [];
  afterEach(async () => {
    for (const each of removals.splice(0)) await rm(each, { recursive: true, force: true });
  });

  const createSocketFolder = async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'parley-agents-'));
    removals.push(folder);
    return folder;
  };
  const exists = (file: string) =>
    stat(file).then(
      () => true,
      () => false,
    );

  it('is removed by the next window: folders in which nothing listens, but none that is new or in use', async function () {
    if (process.platform === 'win32') this.skip();
    const [empty, dead, used, fresh, other] = await Promise.all(
      Array.from({ length: 5 }, createSocketFolder),
    );
    assert.ok(empty && dead && used && fresh && other);
    await leaveSocket(path.join(dead, 's'));
    const server = createServer((socket) => socket.destroy()).listen(path.join(used, 's'));
    await new Promise((resolve) => server.once('listening', resolve));
    // No socket of a window.
    await writeFile(path.join(other, 'notes.txt'), 'Not Parley’s');
    for (const folder of [empty, dead, used, other]) await utimes(folder, LONG_AGO, LONG_AGO);
    const socket = await localAccess.listen(() => undefined);
    try {
      const left = await Promise.all([empty, dead, used, fresh, other].map(exists));
      assert.deepEqual(left, [false, false, true, true, true]);
      assert.ok(await exists(socket.address));
    } finally {
      await socket.close();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('is removed of a file that a crash cut, but none that a window is writing', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'parley-windows-'));
    removals.push(folder);
    const opened = await openPrivateFolder(folder);
    for (const name of ['window-a.json', 'window-b.json.1.tmp', 'window-c.json.2.tmp'])
      await writeFile(path.join(folder, name), '{}');
    for (const name of ['window-a.json', 'window-b.json.1.tmp'])
      await utimes(path.join(folder, name), LONG_AGO, LONG_AGO);
    await opened.removePartialFiles();
    assert.deepEqual((await readdir(folder)).sort(), ['window-a.json', 'window-c.json.2.tmp']);
  });
});

/** Leaves the socket of a process that was killed. */
async function leaveSocket(address: string): Promise<void> {
  const script = `require('node:net').createServer().listen(process.argv[1], () => console.log('listens'))`;
  const child = spawn(process.execPath, ['-e', script, address]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await ended;
}

describe('The messages on the socket', () => {
  it('are the same however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 5 }), fc.array(fc.nat(50)), (values, sizes) => {
        const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
        const lines = new MessageLines(100_000);
        const read: unknown[] = [];
        let at = 0;
        for (const size of sizes) {
          read.push(...lines.feed(text.slice(at, at + size)));
          at += size;
        }
        read.push(...lines.feed(text.slice(at)));
        assert.deepEqual(read, JSON.parse(JSON.stringify(values)));
      }),
      cases(200, 1),
    );
  });
});

describe('The list of windows for MCP servers', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-windows-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const createFile = (id: string, more: Partial<OpenWindow> = {}): OpenWindow => ({
    ...{ id, address: `/tmp/${id}`, token: TOKEN, name: id, folders: [], ...more },
  });
  const getOrder = async (windows: OpenWindow[], places: string[], preferred?: string) =>
    (await sortWindows(windows, places, preferred)).map(({ id }) => id);

  it('has the one that started the server first, then the innermost workspace around the agent, then the last focused', async () => {
    const inner = path.join(folder, 'inner');
    await mkdir(inner);
    const windows = [
      createFile('focused', { focusedAt: 9, folders: [`${tmpdir()}-other`] }),
      createFile('outer', { focusedAt: 1, folders: [folder] }),
      createFile('inner', { focusedAt: 2, folders: [inner] }),
      createFile('none'),
    ];
    assert.deepEqual(await getOrder(windows, [inner]), ['inner', 'outer', 'focused', 'none']);
    assert.deepEqual(await getOrder(windows, [folder]), ['outer', 'focused', 'inner', 'none']);
    assert.deepEqual(await getOrder(windows, ['/']), ['focused', 'inner', 'outer', 'none']);
    assert.deepEqual((await getOrder(windows, [inner], 'none'))[0], 'none');
    // A folder whose name only begins like the workspace's.
    assert.deepEqual((await getOrder(windows, [`${folder}-2`]))[0], 'focused');
  });

  it('leaves the choice to the user if nothing tells the windows apart', async () => {
    await assert.rejects(getOrder([createFile('one'), createFile('two')], ['/']), /“one”, “two”.*click into/);
    assert.deepEqual(await getOrder([createFile('one')], ['/']), ['one']);
    assert.deepEqual(await getOrder([], ['/']), []);
  });

  it('ignores files that others can read, and those that aren’t a window’s [attack: agents’ socket]', async function () {
    const { id: _, ...file } = createFile('a');
    const opened = await openPrivateFolder(folder);
    await opened.writeFile('window-a.json', JSON.stringify(file));
    await opened.writeFile('window-b.json', '{"address": 5}');
    await opened.writeFile('other.json', JSON.stringify(file));
    assert.deepEqual(await readWindows(folder), [createFile('a')]);
    assert.deepEqual(await readWindows(path.join(folder, 'missing')), []);
    if (process.platform === 'win32') this.skip();
    const { chmod } = await import('node:fs/promises');
    assert.equal((await stat(path.join(folder, 'window-a.json'))).mode & 0o777, 0o600);
    await chmod(path.join(folder, 'window-a.json'), 0o644);
    assert.deepEqual(await readWindows(folder), []);
    await chmod(path.join(folder, 'window-a.json'), 0o600);
    await chmod(folder, 0o755);
    assert.deepEqual(await readWindows(folder), []);
  });
});

describe('The budget of agents', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-budget-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is kept by several windows that count at the same time, and gets back what wasn’t sent', async () => {
    const windows = await Promise.all(
      [1, 2, 3, 4, 5].map(async () => new AgentBudget(await openPrivateFolder(folder))),
    );
    const counted = await Promise.all(
      Array.from({ length: 100 }, (_, index) => windows[index % 5]?.count(20)),
    );
    const questions = counted.filter((each) => each !== undefined);
    assert.ok(questions.length <= 20, `${questions.length}`);
    // Those that gave way to each other leave room.
    while (await windows[0]?.count(20)) questions.push({ release: async () => undefined });
    assert.equal(questions.length, 20);
    await counted.find((each) => each !== undefined)?.release();
    assert.ok(await windows[1]?.count(20));
    assert.equal(await windows[2]?.count(20), undefined);
    assert.equal(await windows[2]?.count(0), undefined);
  });

  it('starts anew each day, and leaves no file of another', async () => {
    const opened = await openPrivateFolder(folder);
    let now = new Date(2026, 0, 31, 23, 59);
    const budget = new AgentBudget(opened, () => now);
    await opened.writeFile('other', 'stays');
    assert.ok(await budget.count(1));
    assert.equal(await budget.count(1), undefined);
    now = new Date(2026, 1, 1, 0, 0);
    assert.ok(await budget.count(1));
    await budget.removeOld();
    assert.deepEqual((await readdir(folder)).sort(), ['other', 'questions-2026-02-01.log']);
  });
});
