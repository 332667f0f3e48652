import { EmulatedRegExp } from 'oniguruma-to-es';
import { type GrammarState, Tokenizer } from './tokenizer';
import { type FromWorker, parseGrammar, type TokenNumbers, type ToWorker } from './workerMessages';

/** Time after which tokenized lines are posted before the rest. */
const PROGRESS_MS = 8;

const tokenizer = new Tokenizer();
/** The state of the grammar after each block's lines. */
const states = new Map<number, GrammarState>();

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  try {
    handleMessage(data);
  } catch (error) {
    post({ type: 'failed', reason: String(error) });
  }
};

function handleMessage(message: ToWorker): void {
  if (message.type === 'forget') {
    states.delete(message.blockId);
    return;
  }
  if (message.type === 'grammars') {
    const create = (source: string, flags: string, options: object) =>
      new EmulatedRegExp(source, flags, options);
    tokenizer.addGrammars(message.grammars.map((grammar) => parseGrammar(grammar, create)));
  } else if (!tokenizeLines(message)) {
    post({ type: 'failed', reason: 'line takes too long' });
    return;
  }
  post({ type: 'done' });
}

/** Returns false if a line takes too long. */
function tokenizeLines({ blockId, grammar, lines, skip }: Extract<ToWorker, { type: 'lines' }>): boolean {
  let state = states.get(blockId) ?? null;
  let found: TokenNumbers[] = [];
  let lastPost = performance.now();
  const postTokens = () => {
    post({ type: 'tokens', lines: found, scopes: tokenizer.takeNewScopes() });
    found = [];
    lastPost = performance.now();
  };
  for (const [index, line] of lines.entries()) {
    const tokenized = tokenizer.tokenizeLine(grammar, line, state);
    if (!tokenized) {
      postTokens();
      return false;
    }
    state = tokenized.state;
    if (index >= skip) found.push(tokenized.tokens);
    if (performance.now() - lastPost > PROGRESS_MS) postTokens();
  }
  states.set(blockId, state);
  postTokens();
  return true;
}

function post(message: FromWorker): void {
  self.postMessage(message);
}
