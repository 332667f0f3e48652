import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'jsonc-parser';
import { listAgentConfigs } from '../../src/host/agents/agentConfigs';
import { createBatchFile, createShellScript } from '../../src/host/agents/launcherScripts';

const run = promisify(execFile);
const launch = { command: "/home/o'neil/Code Data/parley-mcp", args: ['/c', 'C:\\a "b"'] };
const configs = listAgentConfigs(false, 'Other');
const getConfig = (name: string) => configs.find((config) => config.name === name) ?? assert.fail(name);

describe('The configuration of an agent', () => {
  it('has the file and the section that each agent reads', () => {
    const places = configs.map(({ name, file, add }) => {
      const text = add('', launch) ?? '';
      const [section] = text.startsWith('[') ? ['mcp_servers'] : Object.keys(parse(text));
      return [name, file?.join('/'), section];
    });
    assert.deepEqual(places, [
      ['Claude Code', '.claude.json', 'mcpServers'],
      ['Codex', '.codex/config.toml', 'mcp_servers'],
      ['Cursor', '.cursor/mcp.json', 'mcpServers'],
      ['Gemini CLI', '.gemini/settings.json', 'mcpServers'],
      ['Zed', '.config/zed/settings.json', 'context_servers'],
      ['Other', undefined, 'mcpServers'],
    ]);
    const [zed] = listAgentConfigs(true, '').filter(({ name }) => name === 'Zed');
    assert.equal(zed?.file?.join('/'), 'AppData/Roaming/Zed/settings.json');
  });

  it('keeps comments and everything else in a JSON file, and changes only its own server', () => {
    const { add } = getConfig('Zed');
    const before =
      '// mine\n{\n  "theme": "a", // b\n  "context_servers": { "other": { "command": "x" } },\n}\n';
    const after = add(before, launch) ?? '';
    assert.ok(after.includes('// mine') && after.includes('"theme": "a", // b'), after);
    const { context_servers: servers } = parse(after, [], { allowTrailingComma: true });
    assert.deepEqual(servers.other, { command: 'x' });
    assert.deepEqual(servers.parley, { source: 'custom', ...launch });
    assert.equal(add(after, launch), after);
    const moved = add(after, { command: '/new', args: [] }) ?? '';
    assert.equal(parse(moved, [], { allowTrailingComma: true }).context_servers.parley.command, '/new');
  });

  it('adds its table to a TOML file, replaces only that, and is the same the second time', () => {
    const { add } = getConfig('Codex');
    const table = (command: string) =>
      `[mcp_servers.parley]\ncommand = ${JSON.stringify(command)}\nargs = []\ntool_timeout_sec = 600\n`;
    const to = (command: string) => ({ command, args: [] });
    assert.equal(add('', to('/a')), table('/a'));
    const before = 'model = "x"\n\n[mcp_servers.other]\ncommand = "o"\n';
    const after = add(before, to('/a')) ?? '';
    assert.equal(after, `${before}\n${table('/a')}`);
    assert.equal(add(after, to('/a')), after);
    assert.equal(add(after, to('/b')), `${before}\n${table('/b')}`);
    const middle = `[mcp_servers."parley"] # mine\ncommand = "old"\n\n[tui]\nx = 1\n`;
    assert.equal(add(middle, to('/a')), `${table('/a')}\n[tui]\nx = 1\n`);
  });

  it('isn’t made for a file that can’t be read with certainty', () => {
    for (const { name, language, add } of configs) {
      const texts =
        language === 'json' ? ['{"a": ', '[]', '5', '{"a": 1} x'] : ['a = """\n[mcp_servers.parley]\n"""'];
      for (const text of texts) assert.equal(add(text, launch), undefined, `${name}: ${text}`);
    }
  });
});

describe('The launcher of the MCP server', () => {
  let folder: string;
  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), "parley's launcher ")), '$HOME `x`');
    await mkdir(folder);
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true }));

  it('starts its server with VS Code’s Node.js, or another one if that has moved', async function () {
    if (process.platform === 'win32') this.skip();
    const print = 'console.log(JSON.stringify([process.env.X, ...process.argv.slice(2)]))';
    await writeFile(path.join(folder, 'server.js'), print);
    const launcher = path.join(folder, 'parley-mcp');
    const expected = ['--windows', `${folder}/windows`, 'a b'];
    const start = async (node: string) => {
      await writeFile(launcher, createShellScript({ path: node, env: { X: "it's" } }, folder));
      await chmod(launcher, 0o700);
      const { stdout } = await run(launcher, ['a b'], {
        env: { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` },
      });
      return JSON.parse(stdout);
    };
    assert.deepEqual(await start(process.execPath), ["it's", ...expected]);
    assert.deepEqual(await start('/gone/node'), [null, ...expected]);
  });

  it('has percent signs doubled on Windows', () => {
    const text = createBatchFile({ path: 'C:\\100%\\Code.exe', env: { A: '1' } }, 'C:\\%x%');
    assert.match(text, /if exist "C:\\100%%\\Code\.exe" \("C:\\100%%\\Code\.exe" "C:\\%%x%%\\server\.js"/);
    assert.match(text, /set "A=1"\r\n/);
  });
});
