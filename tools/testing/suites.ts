import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = '.cache/suites';
const filesPerSuite = 14;

/** Files that share one whole system: the kinds of systems differ in their limits and in what may be killed. */
const sharedSystems = {
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
 * Writes the suites of `npm test` and returns the files that jest runs. The files of a suite share what is slow to
 * start: one whole system, or one identity service. Each file is a `describe` of its own in the suite. The tests in a
 * browser are apart (`npm run test:browser`): npm does not install one.
 */
export function writeSuites(root: string): string[] {
  const write = (name: string, files: readonly string[]): string => {
    writeFileSync(join(root, folder, `${name}.test.ts`), source(files));
    return `${folder}/${name}.test.ts`;
  };
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder), { recursive: true });
  const patterns = ['{libs,services,tools}/*/test/**/*.test.ts', 'tests/**/*.test.ts'];
  const files = globSync(patterns, { cwd: root, exclude: ['tests/browser/**'] });
  const identity = files.filter((file) => file.startsWith('services/identity/')).sort();
  const suites = { ...sharedSystems, ...inSuites('identity', identity) };
  const members = Object.values(suites).flat();
  const written = Object.entries(suites).map((suite) => write(...suite));
  return [...written, ...files.filter((file) => !members.includes(file))];
}

/** Suites of nearly the same size. */
function inSuites(name: string, files: readonly string[]): Record<string, readonly string[]> {
  const size = Math.ceil(files.length / Math.ceil(files.length / filesPerSuite));
  const count = Math.ceil(files.length / size);
  const suites = Array.from({ length: count }, (_, i) => files.slice(i * size, (i + 1) * size));
  return Object.fromEntries(suites.map((members, i) => [`${name}-${i + 1}`, members]));
}

function source(files: readonly string[]): string {
  // `describe` takes no asynchronous function: the files are required, not imported.
  const members = files.map((file) => `describe('${file}', () => void require('../../${file}'));\n`);
  return `import { createRequire } from 'node:module';
import { describe } from '@jest/globals';

const require = createRequire(import.meta.url);
${members.join('')}`;
}
