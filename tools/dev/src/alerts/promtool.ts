import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../options.ts';

const run = promisify(execFile);
const downloadMs = 120_000;

class PromtoolUnavailable extends Error {
  readonly exitCode = 3;
}

/**
 * Path of promtool: PROMTOOL_BIN, the one in PATH, or that of Debian's package `prometheus`, which is copied into `.cache`;
 * nothing is installed.
 * @throws PromtoolUnavailable
 */
export async function findPromtool({
  env,
  say,
}: {
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
}): Promise<string> {
  const folder = join(resolve(env.CASEWATCH_CACHE || join(ROOT, '.cache')), 'promtool');
  const unpacked = join(folder, 'promtool');
  const named = env.PROMTOOL_BIN;
  for (const program of named ? [named] : ['promtool', unpacked])
    if (await works(program, env)) return program;
  if (named) throw new PromtoolUnavailable(`PROMTOOL_BIN: ${named} cannot be run.`);
  say('Downloading promtool with apt-get (19 MB), once …');
  try {
    await download(folder, env);
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

async function works(program: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return run(program, ['--version'], { env }).then(
    () => true,
    () => false,
  );
}

/** apt checks the signature of the package. Only root can fetch the lists of packages, which a new container lacks. */
async function download(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(folder, { recursive: true });
  const cwd = await mkdtemp(join(folder, 'download-'));
  const options = { env, timeout: downloadMs };
  const get = () => run('apt-get', ['download', '--quiet', 'prometheus'], { ...options, cwd });
  try {
    await get().catch(async () => {
      await run('apt-get', ['update', '--quiet'], options);
      await get();
    });
    const file = (await readdir(cwd)).find((entry) => entry.endsWith('.deb'));
    if (file === undefined) throw new Error('apt-get saved no package');
    await run('dpkg-deb', ['--extract', file, 'unpacked'], { ...options, cwd });
    await rename(join(cwd, 'unpacked/usr/bin/promtool'), join(folder, 'promtool'));
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
