// How Stryker makes mutants and runs the unit tests on them: https://stryker-mutator.io/docs/stryker-js/configuration

const tests = ['client', 'chat', 'shared'].map((folder) => `test/${folder}/**/*.test.ts`);

// biome-ignore lint/style/noDefaultExport: where Stryker looks.
export default {
  mutate: ['src/client/**/*.ts', 'src/chat/**/*.ts'],
  testRunner: 'mocha',
  // As in .mocharc.json, whose options for Node only mocha's own command reads.
  testRunnerNodeArgs: ['--import', 'tsx'],
  mochaOptions: { spec: tests },
  coverageAnalysis: 'perTest',
  // What runs once, before the tests, would take all of them for each mutant.
  ignoreStatic: true,
  ignorePatterns: ['dist', 'media', '.vscode-test', '*.vsix'],
  // None: Stryker would rewrite its paths by TypeScript's JavaScript API, which TypeScript 7 doesn't have.
  tsconfigFile: 'none',
  reporters: ['clear-text', 'json'],
  clearTextReporter: { reportTests: false, reportScoreTable: false },
  jsonReporter: { fileName: '.vscode-test/mutants.json' },
  tempDirName: '.vscode-test/mutants',
};
