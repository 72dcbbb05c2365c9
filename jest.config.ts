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
  maxWorkers: 2,
};
