import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasPlace } from './order.ts';

const folder = '.cache/suites';
const filesPerSuite = 25;

/** Files that share what is slow to start. The systems differ in their limits and in what may be killed. */
const sharing = {
  'three-members': ['libs/platform/test/deadlines.test.ts', 'libs/platform/test/majority-reads.test.ts'],
  'system-shared': [
    'tests/contract/authorisation-matrix.test.ts',
    'tests/contract/hostile-bodies.test.ts',
    'tests/e2e/address-changes-hands.test.ts',
    'tests/e2e/console-screens.test.ts',
    'tests/e2e/console-security.test.ts',
    'tests/e2e/enumeration.test.ts',
    'tests/e2e/listen.test.ts',
    'tests/e2e/main-job.test.ts',
    'tests/e2e/parallel-creations.test.ts',
    'tests/e2e/people-security.test.ts',
    'tests/e2e/rotation.test.ts',
  ],
  'system-killed': [
    'tests/e2e/nothing-in-clear.test.ts',
    'tests/e2e/kill-a-service.test.ts',
    'tests/e2e/kill-after-effect.test.ts',
    'tests/e2e/revocation.test.ts',
  ],
  'system-limited': [
    'tests/e2e/one-trace.test.ts',
    'tests/e2e/security-log.test.ts',
    'tests/guide/guide.test.ts',
  ],
};

/**
 * Writes the suites of `npm test` and returns the files that jest runs. The files of a suite share what is slow to start: one
 * whole system, one identity service, and the optimised code of their package. Each file is a `describe` of its own in the
 * suite. The tests in a browser are apart (`npm run test:browser`): npm does not install one.
 */
export function writeSuites(root: string): string[] {
  const patterns = ['{libs,services,tools}/*/test/**/*.test.ts', 'tests/**/*.test.ts'];
  const files = globSync(patterns, { cwd: root, exclude: ['tests/browser/**'] }).sort();
  const suites = {
    ...sharing,
    ...suitesOfPackages(files.filter((file) => !isAlone(file) && !isSharing(file))),
  };
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder), { recursive: true });
  const written = Object.entries(suites).map(([name, members]) => {
    writeFileSync(join(root, folder, `${name}.test.ts`), source(members));
    return `${folder}/${name}.test.ts`;
  });
  const members = Object.values(suites).flat();
  return [...written, ...files.filter((file) => !members.includes(file))];
}

/** Slow files have places of their own in the order. */
const isAlone = (file: string): boolean => file.startsWith('tests/') || hasPlace(file);

const isSharing = (file: string): boolean => Object.values(sharing).flat().includes(file);

/** Suites of nearly the same size, named for their package. */
function suitesOfPackages(files: readonly string[]): Record<string, readonly string[]> {
  const suites: Record<string, readonly string[]> = {};
  for (const [name = '', members] of Map.groupBy(files, (file) => file.split('/')[1])) {
    const size = Math.ceil(members.length / Math.ceil(members.length / filesPerSuite));
    for (let i = 0; i * size < members.length; i++)
      suites[`${name}-${i + 1}`] = members.slice(i * size, (i + 1) * size);
  }
  return suites;
}

function source(files: readonly string[]): string {
  // `describe` takes no asynchronous function: the files are required, not imported.
  const members = files.map((file) => `describe('${file}', () => void require('../../${file}'));\n`);
  return `import { createRequire } from 'node:module';
import { describe } from '@jest/globals';

const require = createRequire(import.meta.url);
${members.join('')}`;
}
