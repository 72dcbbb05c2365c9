import { availableParallelism, totalmem } from 'node:os';
import { workersFor } from './tools/testing/order.ts';
import { writeSuites } from './tools/testing/suites.ts';

/** One worker needs up to 1.5 GB, with the processes of its tests. */
const workersInMemory = Math.floor(totalmem() / 2 ** 31);

/** `npm test` asks for suites of several files; jest itself takes each file alone. */
const testFiles = process.env.TEST_SUITES
  ? writeSuites(import.meta.dirname)
  : ['{libs,services,tools}/*/{src,test}/**/*.test.ts', 'tests/**/*.test.ts'];

const folders = ['libs', 'services', 'tools', 'tests', ...(process.env.TEST_SUITES ? ['.cache/suites'] : [])];

export default {
  testEnvironment: '<rootDir>/tools/testing/environment.ts',
  runtime: '<rootDir>/tools/testing/native-runtime.ts',
  // Else jest looks through all of node_modules at each start.
  roots: folders.map((folder) => `<rootDir>/${folder}`),
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: testFiles.map((path) => `<rootDir>/${path}`),
  testPathIgnorePatterns: ['/node_modules/', '/.data/'],
  // One mongod for the whole run; every test file has databases of its own on it.
  globalSetup: '<rootDir>/tools/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/tools/testing/src/global-teardown.ts',
  testTimeout: 120_000,
  // Tests that wait more than they work run at the same time (it.concurrent).
  maxConcurrency: 5,
  testSequencer: '<rootDir>/tools/testing/sequencer.mjs',
  // The order of the files keeps those that work apart.
  maxWorkers: Math.max(1, Math.min(workersFor(availableParallelism()), workersInMemory)),
};
