import { availableParallelism, totalmem } from 'node:os';

/** One worker needs up to 1.5 GB. */
const workersInMemory = Math.floor(totalmem() / 2 ** 31);

export default {
  testEnvironment: 'node',
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['<rootDir>/{libs,services,tools}/*/test/**/*.test.ts', '<rootDir>/tests/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/.data/', '/.cache/'],
  // One mongod for the whole run; every test file has databases of its own on it.
  globalSetup: '<rootDir>/tools/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/tools/testing/src/global-teardown.ts',
  testTimeout: 30_000,
  testSequencer: '<rootDir>/tools/testing/slow-first.mjs',
  maxWorkers: Math.max(1, Math.min(availableParallelism(), workersInMemory)),
};
