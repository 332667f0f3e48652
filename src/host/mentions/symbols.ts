import * as vscode from 'vscode';
import { raceWithAbort } from '../../chat/base/abort';
import { countCodePoints } from '../../shared/conversation/message';
import { filterByRank, getFuzzyRank } from '../../shared/text/fuzzyMatch';
import { createTextChip } from '../context/chips';
import { MAX_SYMBOL_FILE_BYTES, readFileText } from './fileText';
import type { Mention } from './mentionItem';
import { waitAtMost } from './waitAtMost';

/** Shorter queries match too much. */
const MIN_QUERY_LENGTH = 2;
const MAX_SYMBOLS = 15;
/** Maximum number of the providers' results that are ranked. */
const MAX_RESULTS = 5000;
/** After this, a query of the providers no longer holds up the next one. */
const QUERY_LIMIT_MS = 5000;

/** Asks the providers of workspace symbols. VS Code can't cancel that: a new query waits for the one before it. */
export class SymbolSearch {
  #running: Promise<unknown> = Promise.resolve();

  /** Finds the symbols of the workspace that match best. Throws the signal's reason if aborted. */
  async find(query: string, signal: AbortSignal): Promise<readonly Mention[]> {
    if (query.length < MIN_QUERY_LENGTH) return [];
    await raceWithAbort(this.#running, signal);
    signal.throwIfAborted();
    const results = vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      query,
    );
    const found = waitAtMost(results, QUERY_LIMIT_MS);
    this.#running = found;
    const symbols = ((await raceWithAbort(found, signal)) ?? [])
      .slice(0, MAX_RESULTS)
      .filter(({ location }) => vscode.workspace.getWorkspaceFolder(location.uri));
    const ranked = filterByRank(symbols, ({ name }) => getFuzzyRank(name, query));
    return ranked.slice(0, MAX_SYMBOLS).map(createSymbolMention);
  }
}

function createSymbolMention(symbol: vscode.SymbolInformation): Mention {
  const { name, location } = symbol;
  const { uri, range } = location;
  const findRange = async () => (range.isSingleLine ? await findWholeRange(symbol) : range);
  return {
    ...{ kind: 'symbol', name, uri },
    description: `${vscode.workspace.asRelativePath(uri)}:${range.start.line + 1}`,
    key: `${uri.toString()} ${range.start.line}:${range.start.character} ${name}`,
    content: { type: 'lines', symbol: name, findRange },
    measure: async () => {
      const text = await readFileText(uri, MAX_SYMBOL_FILE_BYTES);
      return text === undefined
        ? undefined
        : countCodePoints(createLinesChip(uri, name, text, await findRange()).text);
    },
  };
}

/** Creates a chip for lines of a file, from its text. */
export function createLinesChip(uri: vscode.Uri, symbol: string, text: string, { start, end }: vscode.Range) {
  const lines = text
    .split(/\r\n|\r|\n/)
    .slice(start.line, end.line + (end.character > 0 || end.line === start.line ? 1 : 0));
  const chip = createTextChip('selection', uri, `${lines.join('\n')}\n`, start.line + 1);
  return { ...chip, name: `${symbol} (${chip.name})` };
}

/** Finds all lines of a symbol; its own line if the file's language has no provider of symbols. */
async function findWholeRange({ name, location }: vscode.SymbolInformation): Promise<vscode.Range> {
  const { uri, range } = location;
  const symbols = await vscode.commands
    .executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      uri,
    )
    .then(undefined, () => undefined);
  return findInnermost(symbols ?? [], name, range.start) ?? range;
}

function findInnermost(
  symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  name: string,
  position: vscode.Position,
): vscode.Range | undefined {
  for (const symbol of symbols) {
    const range = 'location' in symbol ? symbol.location.range : symbol.range;
    if (!range.contains(position)) continue;
    const inner = 'children' in symbol ? findInnermost(symbol.children, name, position) : undefined;
    if (inner || symbol.name === name) return inner ?? range;
  }
  return undefined;
}
