#!/usr/bin/env node
// A "VS Code" for @vscode/test-electron's runTests where there is no desktop: takes the same arguments, runs the tests in the
// browser's VS Code, prints what they print and ends with their exit code.
import { require } from 'tsx/cjs/api';

const { runTestsInBrowser } = require('./testsInBrowser.ts', import.meta.url);
process.exitCode = await runTestsInBrowser(process.argv.slice(2));
