import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser';

/** The command that starts the MCP server; agents keep it in their configuration. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** The name of the MCP server in every configuration. */
const SERVER_NAME = 'parley';
/** In seconds: a bot may take minutes, and the user has to be asked. */
const TOOL_TIMEOUT_SECONDS = 600;

/** How an agent is told of the server. */
export interface AgentConfig {
  readonly name: string;
  /** The path of its file, below the user's home folder; missing if the user knows it. */
  readonly file?: readonly string[];
  readonly language: 'json' | 'toml';
  /** Returns the file's text with the server in it; undefined for a text that can't be read. */
  add(text: string, launch: Launch): string | undefined;
}

/** The agents that Parley knows, by how they call themselves. */
export function listAgentConfigs(isWindows: boolean, otherName: string): readonly AgentConfig[] {
  const zed = isWindows ? ['AppData', 'Roaming', 'Zed'] : ['.config', 'zed'];
  return [
    createJsonConfig('Claude Code', ['.claude.json'], 'mcpServers', { type: 'stdio' }),
    { name: 'Codex', file: ['.codex', 'config.toml'], language: 'toml', add: addToToml },
    createJsonConfig('Cursor', ['.cursor', 'mcp.json'], 'mcpServers'),
    createJsonConfig('Gemini CLI', ['.gemini', 'settings.json'], 'mcpServers', {
      timeout: TOOL_TIMEOUT_SECONDS * 1000,
    }),
    createJsonConfig('Zed', [...zed, 'settings.json'], 'context_servers', { source: 'custom' }),
    createJsonConfig(otherName, undefined, 'mcpServers'),
  ];
}

function createJsonConfig(
  name: string,
  file: readonly string[] | undefined,
  section: string,
  more: object = {},
): AgentConfig {
  return {
    name,
    ...(file && { file }),
    language: 'json',
    add: (text, { command, args }) => {
      const errors: ParseError[] = [];
      const options = { allowTrailingComma: true };
      const before = text.trim() === '' ? '{}\n' : text;
      const root: unknown = parse(before, errors, options);
      if (errors.length > 0 || typeof root !== 'object' || root === null || Array.isArray(root)) return;
      const eol = before.includes('\r\n') ? '\r\n' : '\n';
      const formattingOptions = { insertSpaces: !/^\t/m.test(before), tabSize: 2, eol };
      const value = { ...more, command, args };
      // Keeps comments, and everything that isn't Parley's.
      return applyEdits(before, modify(before, [section, SERVER_NAME], value, { formattingOptions }));
    },
  };
}

const TOML_HEADER =
  /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*(?:parley|"parley"|'parley')[ \t]*\][ \t]*(?:#.*)?$/m;

/** Replaces the table of the server, or adds it at the end. A text with strings of several lines isn't touched. */
function addToToml(text: string, { command, args }: Launch): string | undefined {
  if (text.includes('"""') || text.includes("'''")) return;
  // TOML's basic strings have the escapes of JSON.
  const table = [
    `[mcp_servers.${SERVER_NAME}]`,
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
    `tool_timeout_sec = ${TOOL_TIMEOUT_SECONDS}`,
  ].join('\n');
  const header = TOML_HEADER.exec(text);
  if (!header) return text.trim() === '' ? `${table}\n` : `${text.trimEnd()}\n\n${table}\n`;
  const after = text.slice(header.index + header[0].length);
  const next = after.search(/^[ \t]*\[/m);
  const rest = next < 0 ? '' : `\n\n${after.slice(next)}`;
  return `${text.slice(0, header.index)}${table}${rest || '\n'}`;
}
