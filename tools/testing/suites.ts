import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = '.cache/suites';
const filesPerSuite = 14;
/** Packages with few or quick tests share suites. */
const small = ['bench', 'cluster', 'contracts', 'driver', 'sandbox-traffic', 'testing'];

/** The slowest files of the parts belong to no suite. */
const alone = [
  'services/monitor/test/changes/interleavings.test.ts',
  'services/monitor/test/watching.test.ts',
  'services/monitor/test/survival.test.ts',
  'services/monitor/test/sending.test.ts',
  'services/monitor/test/lagging.test.ts',
  'services/cases/test/http/killed-user-ends.test.ts',
  'services/notifier/test/kill.test.ts',
  'libs/platform/test/event-outcomes.test.ts',
];

/** Draining is for the rest of a process's life. */
const draining = ['libs/platform/test/drain.test.ts', 'libs/platform/test/metrics-drain.test.ts'];

/** Files that share one whole system: the kinds of systems differ in their limits and in what may be killed. */
const sharedSystems = {
  'system-shared': [
    'tests/contract/authorisation-matrix.test.ts',
    'tests/contract/hostile-bodies.test.ts',
    'tests/e2e/address-changes-hands.test.ts',
    'tests/e2e/enumeration.test.ts',
    'tests/e2e/listen.test.ts',
    'tests/e2e/main-job.test.ts',
    'tests/e2e/nothing-in-clear.test.ts',
    'tests/e2e/parallel-creations.test.ts',
    'tests/e2e/rotation.test.ts',
  ],
  'system-killed': [
    'tests/e2e/kill-a-service.test.ts',
    'tests/e2e/kill-after-effect.test.ts',
    'tests/e2e/revocation.test.ts',
  ],
  'system-limited': ['tests/e2e/security-log.test.ts', 'tests/guide/guide.test.ts'],
};

/** Suites and files in the order in which they begin: the slowest first, and not all whole systems at once. */
export const slowFirst = [
  'system-shared.test.ts',
  'system-killed.test.ts',
  ...alone,
  'tests/contract/examples.test.ts',
  'system-limited.test.ts',
];

/**
 * Writes the suites of `npm test` and returns the files that jest runs. A suite loads the modules once for several test
 * files. Each file is a `describe` of its own in the suite: the file's hooks run for its tests only.
 */
export function writeSuites(root: string): string[] {
  const write = (name: string, files: readonly string[]): string => {
    writeFileSync(join(root, folder, `${name}.test.ts`), source(files));
    return `${folder}/${name}.test.ts`;
  };
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder), { recursive: true });
  const files = globSync('{libs,services,tools}/*/test/**/*.test.ts', { cwd: root }).sort();
  const packages = Map.groupBy(
    files.filter((file) => !alone.includes(file) && !draining.includes(file)),
    packageOf,
  );
  const suites = [...packages].flatMap(([name, members]) =>
    inSuites(members).map((suite, i) => write(`${name}-${i + 1}`, suite)),
  );
  const shared = Object.values(sharedSystems).flat();
  const ownSystems = globSync('tests/**/*.test.ts', { cwd: root }).filter((file) => !shared.includes(file));
  const systems = Object.entries(sharedSystems).map((suite) => write(...suite));
  return [...systems, ...ownSystems, ...alone, ...suites, ...draining];
}

function packageOf(file: string): string {
  const name = String(file.split('/')[1]);
  return small.includes(name) ? 'small' : name;
}

/** Suites of nearly the same size. */
function inSuites(files: readonly string[]): string[][] {
  const size = Math.ceil(files.length / Math.ceil(files.length / filesPerSuite));
  return Array.from({ length: Math.ceil(files.length / size) }, (_, i) =>
    files.slice(i * size, (i + 1) * size),
  );
}

function source(files: readonly string[]): string {
  // `describe` takes no asynchronous function: the files are required, not imported.
  const members = files.map((file) => `describe('${file}', () => void require('../../${file}'));\n`);
  return `import { createRequire } from 'node:module';
import { describe } from '@jest/globals';
import '../../tools/testing/src/shared.ts';

const require = createRequire(import.meta.url);
${members.join('')}`;
}
