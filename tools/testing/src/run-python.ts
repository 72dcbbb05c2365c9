import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** `distribution`: of PyPI, with its version. `program` reads JSON from the file that its first argument names, and prints JSON. */
type PythonRun = { distribution: string; program: string; input: unknown };

const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
const installMs = 120_000;
const runMs = 60_000;

/**
 * What another implementation, from PyPI, says of what we made. It is installed into a folder of its own, for this one run. Null, with
 * a warning, on a machine without pip or without an index. @throws if the program fails
 */
export async function runPython<T>({ distribution, program, input }: PythonRun): Promise<T | null> {
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-python-'));
  try {
    const target = join(folder, 'packages');
    const install = ['-m', 'pip', 'install', ...quiet, '--target', target, distribution];
    try {
      await run('python3', install, { timeout: installMs });
    } catch (error) {
      const why = String(error).slice(0, 200);
      console.warn(`NOT RUN HERE: ${distribution} of PyPI could not be installed. ${why}`);
      return null;
    }
    const file = join(folder, 'input.json');
    await writeFile(file, JSON.stringify(input));
    const env = { ...process.env, PYTHONPATH: target };
    const { stdout } = await run('python3', ['-c', program, file], { env, timeout: runMs });
    return JSON.parse(stdout) as T;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
