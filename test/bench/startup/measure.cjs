// Runs in the extension host: activates Parley and the empty extension in the order of PARLEY_BENCH_ORDER,
// and writes the time that VS Code counts as activation, in ms: loading the code and calling activate, both
// of which block all other extensions. (The rest of an activation is VS Code's own: it fetches the
// extension's storage from the window.) Then measures Parley's first use, which loads everything that
// activation leaves for later.
const { writeFileSync } = require('node:fs');
const Module = require('node:module');
const vscode = require('vscode');

exports.run = async () => {
  writeFileSync(process.env.PARLEY_BENCH_RESULT, JSON.stringify(await measure()));
};

async function measure() {
  const times = {};
  await waitUntilIdle();
  for (const id of process.env.PARLEY_BENCH_ORDER.split(',')) {
    const extension = vscode.extensions.getExtension(id);
    // VS Code doesn't report errors thrown by a test run.
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
  // The command that does the least.
  await vscode.commands.executeCommand('parley.stop');
  times.firstUse = performance.now() - began;
  return times;
}

/** Waits until VS Code's own extensions have started, because their work would be measured too. */
async function waitUntilIdle() {
  let before;
  do {
    before = performance.eventLoopUtilization();
    await new Promise((resolve) => setTimeout(resolve, 500));
  } while (performance.eventLoopUtilization(before).utilization > 0.1);
}

/** Measures the time in a folder's first module and in its exported activate. */
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
