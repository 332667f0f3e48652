import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../vscode/cacheDir';
import { listStages, type Stage } from './stages';

export interface Arguments {
  /** The stages to run, limited to the given files and stages. */
  readonly stages: readonly Stage[];
  /** Runs only tests whose full title matches this regular expression. */
  readonly grep?: string;
  /** Whether nothing was left out. */
  readonly isWholeRun: boolean;
  /** Writes test/FAULTS.md from the results. */
  readonly updateFaults: boolean;
  /** Repeats the tests of `npm test` in more places and rounds. */
  readonly all: boolean;
}

/**
 * Parses `[STAGE | FILE | FOLDER]… [--grep REGEXP] [--all] [--update-faults]`. Throws an Error if a name is
 * neither a stage nor a path below test/.
 */
export function parseArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    // npm removes one `--`; the user may have typed another.
    args: args.filter((arg) => arg !== '--'),
    allowPositionals: true,
    options: {
      grep: { type: 'string' },
      all: { type: 'boolean', default: false },
      'update-faults': { type: 'boolean', default: false },
    },
  });
  const all = listStages(values.all);
  const stages =
    positionals.length === 0 ? all : mergeByName(positionals.flatMap((name) => selectStages(all, name)));
  return {
    stages,
    ...(values.grep === undefined ? {} : { grep: values.grep }),
    isWholeRun: positionals.length === 0 && values.grep === undefined,
    updateFaults: values['update-faults'],
    all: values.all,
  };
}

/** Returns the stage with this name, or the stages with files below this path, limited to those. */
function selectStages(all: readonly Stage[], name: string): readonly Stage[] {
  const stageByName = all.find((stage) => stage.name === name);
  if (stageByName) return [stageByName];
  const below = [name, path.join('test', name)].find((file) => existsSync(path.join(repositoryRoot, file)));
  if (below === undefined) throw new Error(`There is no stage, file or folder of test/ called ${name}.`);
  const prefix = path.normalize(below).replaceAll(path.sep, '/').replace(/\/$/, '');
  return all.flatMap((stage): readonly Stage[] => {
    if (stage.kind === 'vscode' && /^test\/host(\/|$)/.test(prefix)) return [{ ...stage, only: [prefix] }];
    if (stage.kind !== 'files') return [];
    const files = stage.files.filter((file) => file === prefix || file.startsWith(`${prefix}/`));
    return files.length > 0 ? [{ ...stage, files }] : [];
  });
}

/** Merges the files of stages with the same name. */
function mergeByName(stages: readonly Stage[]): readonly Stage[] {
  const merged = new Map<string, Stage>();
  for (const stage of stages) {
    const existing = merged.get(stage.name);
    merged.set(stage.name, existing ? merge(existing, stage) : stage);
  }
  return [...merged.values()];
}

function merge(one: Stage, other: Stage): Stage {
  if (one.kind === 'files' && other.kind === 'files')
    return { ...one, files: [...new Set([...one.files, ...other.files])] };
  if (one.kind === 'vscode' && other.kind === 'vscode' && one.only && other.only)
    return { ...one, only: [...one.only, ...other.only] };
  // One of them is the whole stage.
  return one.kind === 'vscode' && one.only ? other : one;
}
