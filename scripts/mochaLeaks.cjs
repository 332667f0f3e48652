// Mocha doesn't end a process in which a test left a socket or a timer open: this says so, instead of waiting for ever.
exports.mochaGlobalTeardown = () => {
  const complain = () => {
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`The tests are over, but something they opened keeps the process running: ${open}`);
    process.exit(1);
  };
  setTimeout(complain, 10_000).unref();
};
