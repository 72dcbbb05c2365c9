const folders = ['libs', 'services', 'tools', 'tests'];

export default {
  testEnvironment: '<rootDir>/tools/testing/environment.mjs',
  // Else jest looks through all of node_modules at each start.
  roots: folders.map((folder) => `<rootDir>/${folder}`),
  transform: { '\\.ts$': '<rootDir>/tools/testing/strip-types.mjs' },
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['<rootDir>/{libs,services,tools}/*/{src,test}/**/*.test.ts', '<rootDir>/tests/**/*.test.ts'],
  // One mongod for the whole run; every test file has databases of its own on it.
  globalSetup: '<rootDir>/tools/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/tools/testing/src/global-teardown.ts',
  // A test that hangs is rare, and a slow machine is not. A test names a longer one only.
  testTimeout: 300_000,
  // Tests that wait more than they work run at the same time (it.concurrent).
  maxConcurrency: 5,
  // npm run coverage: what runs in the processes of the tests.
  coverageProvider: 'v8',
  coverageDirectory: '.cache/coverage',
  coverageReporters: ['text'],
  collectCoverageFrom: ['{libs,services,tools}/*/src/**/*.ts'],
  // Their servers and other processes are beside them.
  maxWorkers: '100%',
  // The modules of each test file stay in the memory of its worker: after 25 files of notifier these are 770 MB.
  workerIdleMemoryLimit: '1GB',
};
