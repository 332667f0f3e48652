// Runs in the extension host: activates Parley and the empty extension, in the order that PARLEY_BENCH_ORDER gives, and writes
// what VS Code counts as an extension's activation, in ms: loading its code and the call of activate, both of which block
// every other extension. (The rest of activating is VS Code's own: it fetches the extension's storage from the window.) Then what
// Parley's first use takes, which loads and builds all that activating leaves for later.
const { writeFileSync } = require('node:fs');
const Module = require('node:module');
const vscode = require('vscode');

exports.run = async () => {
  writeFileSync(process.env.PARLEY_BENCH_RESULT, JSON.stringify(await measure()));
};

async function measure() {
  const times = {};
  await rest();
  for (const id of process.env.PARLEY_BENCH_ORDER.split(',')) {
    const extension = vscode.extensions.getExtension(id);
    // VS Code keeps to itself what a test run throws.
    if (!extension) return { error: `${id} isn't there` };
    if (extension.isActive) return { error: `${id} is active already` };
    const stop = timeLoading(extension.extensionPath, (ms) => {
      times[id] = (times[id] ?? 0) + ms;
    });
    await extension.activate();
    stop();
    if (times[id] === undefined) return { error: `${id} was loaded past the clock` };
  }
  const began = performance.now();
  // The command that does least.
  await vscode.commands.executeCommand('parley.stop');
  times.firstUse = performance.now() - began;
  return times;
}

/** Until VS Code's own extensions have started: what they do beside the clock would be counted. */
async function rest() {
  let before;
  do {
    before = performance.eventLoopUtilization();
    await new Promise((resolve) => setTimeout(resolve, 500));
  } while (performance.eventLoopUtilization(before).utilization > 0.1);
}

/** Adds up the time in a folder's first module and in the activate that it exports. */
function timeLoading(folder, add) {
  const { _load: load } = Module;
  Module._load = function timedLoad(request, ...rest) {
    if (!request.startsWith(folder)) return load.call(this, request, ...rest);
    Module._load = load;
    const module = timed(add, () => load.call(this, request, ...rest));
    return { ...module, activate: (context) => timed(add, () => module.activate(context)) };
  };
  return () => {
    Module._load = load;
  };
}

function timed(add, work) {
  const started = performance.now();
  const result = work();
  add(performance.now() - started);
  return result;
}
