/** Compares the figures of all measurements with the goals of docs/performance.md. */
import { type Figures, formatNumber, getMedian } from './benchResults';

interface Goal {
  readonly what: string;
  readonly unit: string;
  /** The paths of the figures, as in `Figures`; the largest one counts. */
  readonly ours: readonly string[];
  /** The path of what ours is divided by, for a goal that is a ratio. */
  readonly peer?: string;
  readonly max: number;
}

const LIMIT = 'plain text (the limit) mixed';

/** What is measured against a goal, in the order of the table. */
export const GOALS: readonly Goal[] = [
  createRenderGoal('100 KB, by 64 characters', '100 64', 1.6),
  createRenderGoal('500 KB, by 64 characters', '500 64', 1.8),
  createRenderGoal('100 KB, by 8 characters', '100 8', 1.3),
  createTaskGoal('a reply of 100 KB', 16),
  createTaskGoal('a table of 100 KB', 16),
  createTaskGoal('the first block of a language', 16),
  createTaskGoal('the first formulas', 16),
  createTaskGoal('a line of 1 MB, by 64 KB', 16),
  createTaskGoal('a line of 10 MB, at once', 50),
  {
    what: 'a chunk in 5,000 turns, × an empty conversation',
    unit: '×',
    ours: ['transcript › results › Parley 5000 › chunkRatio'],
    max: 1.1,
  },
  createGoal(
    'opening 5,000 turns: the last screen',
    'ms',
    'transcript › results › Parley 5000 › lastScreen',
    33,
  ),
  createGoal(
    'memory of 5,000 turns beyond what is drawn, × their text',
    '×',
    'transcript › results › Parley 5000 › textHeap',
    1.5,
  ),
  createGoal('list of 10,000 conversations', 'ms', 'store › rows › list conversations 10000 › ours', 50),
  {
    what: 'search in 100 MB: the first result',
    unit: 'ms',
    ours: ['deploy', 'wo12 wo7', 'wo4999', 'ü3'].map((query) => `search › rows › ${query} › first`),
    max: 100,
  },
  {
    what: 'search in 100 MB: all results',
    unit: 'ms',
    ours: ['deploy', 'wo12 wo7', 'wo4999', 'nowhere', 'ü3'].map((query) => `search › rows › ${query} › all`),
    max: 1000,
  },
  {
    what: 'search in 100 MB: the longest time without a turn for others',
    unit: 'ms',
    ours: ['deploy', 'wo12 wo7', 'wo4999', 'nowhere', 'ü3'].map(
      (query) => `search › rows › ${query} › longestBlock`,
    ),
    max: 16,
  },
  {
    what: 'web host: an append to 5 MB, × its bytes',
    unit: '×',
    ours: ['store › webAppendBytes › ours'],
    peer: 'store › webAppendBytes › limit',
    max: 64,
  },
  createGoal('web host: another window shows a chunk, p95', 'ms', 'windows › rows › web a chunk › p95', 300),
  createGoal(
    'web host: another window shows a message, p95',
    'ms',
    'windows › rows › web a message › p95',
    300,
  ),
  {
    what: 'activate, × an empty extension',
    unit: '×',
    ours: ['startup › ours'],
    peer: 'startup › peer',
    max: 5,
  },
  {
    what: 'first use, × an empty extension',
    unit: '×',
    ours: ['startup › firstUse'],
    peer: 'startup › peer',
    max: 15,
  },
  {
    what: 'first paint, × a webview with a line of text',
    unit: '×',
    ours: ['startup › paint › ours'],
    peer: 'startup › paint › peer',
    max: 1.25,
  },
  createGoal('messages to the page of an idle panel', '', 'idle › rows › the panel is idle › messages', 0),
  createGoal(
    'messages to a hidden page while a reply streams',
    '',
    'idle › rows › a reply streams, hidden › messages',
    0,
  ),
  ...[20, 200, 2000].map(
    (rate): Goal => ({
      what: `a chunk's p95 at ${rate} chunks/s, × VS Code's Chat`,
      unit: '×',
      ours: [`chat › rows › Parley ${rate} › p95`],
      peer: `chat › rows › VS Code Chat ${rate} › p95`,
      max: 1,
    }),
  ),
  createGoal(
    'MCP server: its start, to its list of tools',
    'ms',
    'mcp › rows › the start of the server, to its list of tools (ms) › p50',
    500,
  ),
  createGoal(
    'MCP server: what it and the socket add to a question, p95',
    'ms',
    'mcp › rows › what the server and the socket add, with a window (ms) › p95',
    16,
  ),
  createGoal('MCP server: memory after 10 MB of answers', 'MB', 'mcp › memory › after', 150),
];

/** Formats a table with a row for each goal. */
export function formatGoals(figures: Figures): string {
  const rows = GOALS.map(({ what, unit, ours, peer, max }) => {
    const medians = ours.flatMap((path) => (figures.has(path) ? [getMedian(figures.get(path) ?? [])] : []));
    const base = peer === undefined ? 1 : getMedian(figures.get(peer) ?? []);
    const value = medians.length > 0 ? Math.max(...medians) / base : Number.NaN;
    const format = (figure: number) => `${formatNumber(figure)} ${unit}`.trim();
    if (Number.isNaN(value)) return `| ${what} | not measured | ${format(max)} | |`;
    return `| ${what} | ${format(value)} | ${format(max)} | ${value <= max ? 'yes' : 'no'} |`;
  });
  return ['| | measured | goal | met |', '|---|--:|--:|---|', ...rows].join('\n');
}

function createGoal(what: string, unit: string, path: string, max: number): Goal {
  return { what, unit, ours: [path], max };
}

function createRenderGoal(what: string, label: string, max: number): Goal {
  return {
    what: `${what}, × plain text`,
    unit: '×',
    ours: [`render › results › Parley mixed ${label} › ms`],
    peer: `render › results › ${LIMIT} ${label} › ms`,
    max,
  };
}

function createTaskGoal(what: string, max: number): Goal {
  return createGoal(`the longest task: ${what}`, 'ms', `tasks › rows › ${what} › ours`, max);
}
