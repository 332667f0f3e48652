#!/usr/bin/env node
// A "VS Code" for @vscode/test-electron's runTests on machines without a desktop: takes the same arguments,
// runs the tests in the browser's VS Code, prints their output and exits with their exit code.
import { require } from 'tsx/cjs/api';

const { runTestsInBrowser } = require('./testsInBrowser.ts', import.meta.url);
process.exitCode = await runTestsInBrowser(process.argv.slice(2));
