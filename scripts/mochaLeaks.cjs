// Mocha doesn't end a process in which a test left a socket or a timer open: this says so and fails, instead of waiting for ever.
exports.mochaGlobalTeardown = () => {
  const complain = () => {
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`The tests are over, but something they opened keeps the process running: ${open}`);
    // Mocha sets the exit code to its failures at the very end; who listens later has the last word.
    process.once('exit', () => {
      process.exitCode = 1;
    });
    process.exit();
  };
  setTimeout(complain, 10_000).unref();
};
