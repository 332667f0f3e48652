// Configures Stryker (https://stryker-mutator.io/docs/stryker-js/configuration) to mutate the sources and run
// the unit tests.

/** The modules of src/host with tests of the same name that run without VS Code. */
const hostModules = [
  'base/inertText',
  'documents/detectSecret',
  'editor/terminalInput',
  'panel/page/deltaChannel',
];
/** Those with tests in test/client and test/chat. */
const platformModules = ['platform/nodeFetch', 'platform/nodeStorage'];

const tests = [
  ...['client', 'chat', 'shared'].map((folder) => `test/${folder}/**/*.test.ts`),
  ...hostModules.map((name) => `test/host/${name}.test.ts`),
];

// biome-ignore lint/style/noDefaultExport: Stryker requires it.
export default {
  mutate: [
    ...['src/client/**/*.ts', 'src/chat/**/*.ts'],
    ...[...hostModules, ...platformModules].map((name) => `src/host/${name}.ts`),
  ],
  testRunner: 'mocha',
  // As in .mocharc.json; only mocha's own command reads its Node options.
  testRunnerNodeArgs: ['--import', 'tsx'],
  mochaOptions: { spec: tests, require: ['./test/bench/mutants/testTimeout.mjs'] },
  coverageAnalysis: 'perTest',
  // Mutants in code that runs once at load time would need all tests each.
  ignoreStatic: true,
  ignorePatterns: ['dist', 'media', '.vscode-test', '*.vsix'],
  // None: Stryker would rewrite its paths with TypeScript's JavaScript API, which TypeScript 7 doesn't have.
  tsconfigFile: 'none',
  reporters: ['clear-text', 'json'],
  clearTextReporter: { reportTests: false, reportScoreTable: false },
  jsonReporter: { fileName: '.vscode-test/mutants.json' },
  tempDirName: '.vscode-test/mutants',
};
