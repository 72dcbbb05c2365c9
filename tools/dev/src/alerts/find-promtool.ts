import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../options.ts';

const run = promisify(execFile);
const downloadMs = 120_000;

export class PromtoolUnavailable extends Error {
  readonly exitCode = 3;
}

/**
 * promtool of PROMTOOL_BIN, of PATH, or of Debian's package `prometheus`, from which it is copied into `.cache`; nothing is installed.
 * @throws PromtoolUnavailable
 */
export async function findPromtool(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<string> {
  const folder = join(resolve(env.CASEWATCH_CACHE || join(ROOT, '.cache')), 'promtool');
  const unpacked = join(folder, 'promtool');
  for (const program of env.PROMTOOL_BIN ? [env.PROMTOOL_BIN] : ['promtool', unpacked])
    if (await works(program)) return program;
  if (env.PROMTOOL_BIN) throw new PromtoolUnavailable(`PROMTOOL_BIN: ${env.PROMTOOL_BIN} cannot be run.`);
  say('Downloading promtool with apt-get (19 MB), once …');
  try {
    await download(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    throw new PromtoolUnavailable(
      `promtool is not on this machine, and apt-get cannot download it: ${reason}\n` +
        'Install Prometheus, or name the program: PROMTOOL_BIN=/path/to/promtool npm run alerts',
      { cause: error },
    );
  }
  return unpacked;
}

async function works(program: string): Promise<boolean> {
  return run(program, ['--version']).then(
    () => true,
    () => false,
  );
}

/** apt checks the signature of the package. Only root can fetch the lists of packages, which a new container lacks. */
async function download(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const cwd = await mkdtemp(join(folder, 'download-'));
  const get = () => run('apt-get', ['download', '--quiet', 'prometheus'], { cwd, timeout: downloadMs });
  try {
    await get().catch(async () => {
      await run('apt-get', ['update', '--quiet'], { timeout: downloadMs });
      await get();
    });
    const file = (await readdir(cwd)).find((name) => name.endsWith('.deb'));
    if (file === undefined) throw new Error('apt-get saved no package');
    await run('dpkg-deb', ['--extract', file, 'unpacked'], { cwd });
    await rename(join(cwd, 'unpacked/usr/bin/promtool'), join(folder, 'promtool'));
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
