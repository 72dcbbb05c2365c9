/**
 * `npm run chaos -- --mutants`: deliberate breakages, each of which a named test must refuse. They are made in a copy of the
 * repository, so that an interrupted run leaves nothing behind.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export type Mutant = {
  /** What it breaks, in words. */
  name: string;
  file: string;
  /** Stands once in the file. */
  find: string;
  replace: string;
  caught_by: { test: string; title: string };
};

type Outcome = { failed: string[]; passed: string[]; crashed: boolean; seconds: number };

const root = join(import.meta.dirname, '../../..');

export function readMutants(): Mutant[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'mutants.json'), 'utf8')) as Mutant[];
}

/** Mutants whose `find` does not stand exactly once in their file of the repository in `folder`. */
export function misplaced(mutants: readonly Mutant[], folder = root): string[] {
  return mutants.flatMap(({ name, file, find }) => {
    const path = join(folder, file);
    if (!existsSync(path)) return [`${name}: there is no ${file}`];
    const found = readFileSync(path, 'utf8').split(find).length - 1;
    return found === 1 ? [] : [`${name}: "${find}" stands ${found} times in ${file}`];
  });
}

/** @returns the exit code: 0 if each mutant is caught */
export async function runMutants(only: string, say: (text: string) => void): Promise<number> {
  const mutants = readMutants().filter(({ name }) => name.includes(only));
  const lost = misplaced(mutants);
  for (const text of lost) say(`NOT FOUND: ${text}`);
  if (lost.length > 0) return 1;
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-mutants-'));
  try {
    await copyRepository(folder);
    let escaped = 0;
    const healthy = new Map<string, boolean>();
    for (const { name, file, find, replace, caught_by } of mutants) {
      const key = `${caught_by.test} ${caught_by.title}`;
      if (!healthy.has(key)) {
        const { passed } = await runTest(folder, caught_by);
        healthy.set(key, passed.length > 0);
      }
      const path = join(folder, file);
      const source = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        source.replace(find, () => replace),
      );
      const { failed, crashed, seconds } = await runTest(folder, caught_by);
      writeFileSync(path, source);
      const isCaught = healthy.get(key) === true && failed.length > 0 && !crashed;
      if (!isCaught) escaped++;
      const why = !healthy.get(key)
        ? 'its test fails without it'
        : crashed
          ? 'only by a crash'
          : 'no test failed';
      say(
        `${isCaught ? 'caught ' : 'ESCAPED'} ${name} (${file}) by "${caught_by.title}" in ${seconds.toFixed(0)} s${isCaught ? '' : `: ${why}`}`,
      );
    }
    say(`${mutants.length - escaped} of ${mutants.length} mutants caught`);
    return escaped > 0 ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Files as git knows them. The packages of others are links; our own lead into the copy. */
async function copyRepository(folder: string): Promise<void> {
  const list = await promisify(execFile)('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    maxBuffer: 64 * 1024 ** 2,
  });
  for (const file of list.stdout.split('\0').filter((name) => name !== '' && !name.endsWith('.png'))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { force: true });
  }
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name === '@casewatch')
      cpSync(join(root, 'node_modules', name), join(modules, name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    else symlinkSync(join(root, 'node_modules', name), join(modules, name));
  // A package of ours may have another version of a package for itself.
  for (const own of globSync('{libs,services,tools}/*/node_modules', { cwd: root }))
    symlinkSync(join(root, own), join(folder, own));
}

async function runTest(folder: string, { test, title }: Mutant['caught_by']): Promise<Outcome> {
  const report = join(folder, 'report.json');
  await rm(report, { force: true });
  const began = performance.now();
  // The name of a test is a pattern for jest.
  const pattern = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // As tools/dev/test.mjs starts jest: our modules are ES modules.
  const args = [
    '--experimental-vm-modules',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${report}`,
    test,
    '-t',
    pattern,
  ];
  const env = { ...process.env, CASEWATCH_CACHE: process.env.CASEWATCH_CACHE ?? join(root, '.cache') };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' });
  await once(child, 'exit');
  const seconds = (performance.now() - began) / 1_000;
  try {
    type Result = { assertionResults: { status: string; fullName: string }[] };
    const { numRuntimeErrorTestSuites, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      numRuntimeErrorTestSuites: number;
      testResults: Result[];
    };
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    const named = (status: string) =>
      results.filter((one) => one.status === status).map(({ fullName }) => fullName);
    return {
      failed: named('failed'),
      passed: named('passed'),
      crashed: numRuntimeErrorTestSuites > 0,
      seconds,
    };
  } catch {
    return { failed: [], passed: [], crashed: true, seconds };
  }
}
