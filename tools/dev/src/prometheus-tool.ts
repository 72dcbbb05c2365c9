import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './options.ts';

const run = promisify(execFile);
const downloadMs = 120_000;

/** Programs of Debian's package `prometheus`: the setting that names another one, and the command that needs it. */
const programs = {
  promtool: { setting: 'PROMTOOL_BIN', command: 'npm run alerts' },
  prometheus: { setting: 'PROMETHEUS_BIN', command: 'npm run boards' },
} as const;

export class PrometheusUnavailable extends Error {
  readonly exitCode = 3;
}

/**
 * The program of its setting, of PATH, or of Debian's package, from which it is copied into `.cache`; nothing is installed.
 * @throws PrometheusUnavailable
 */
export async function findPrometheusTool(
  name: keyof typeof programs,
  { env, say }: { env: NodeJS.ProcessEnv; say: (line: string) => void },
): Promise<string> {
  const { setting, command } = programs[name];
  const folder = join(resolve(env.CASEWATCH_CACHE || join(ROOT, '.cache')), name);
  const unpacked = join(folder, name);
  const named = env[setting];
  for (const program of named ? [named] : [name, unpacked]) if (await works(program, env)) return program;
  if (named) throw new PrometheusUnavailable(`${setting}: ${named} cannot be run.`);
  say(`Downloading ${name} with apt-get (19 MB), once …`);
  try {
    await download(name, { folder, env });
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    throw new PrometheusUnavailable(
      `${name} is not on this machine, and apt-get cannot download it: ${reason}\n` +
        `Install Prometheus, or name the program: ${setting}=/path/to/${name} ${command}`,
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
async function download(
  name: string,
  { folder, env }: { folder: string; env: NodeJS.ProcessEnv },
): Promise<void> {
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
    await rename(join(cwd, 'unpacked/usr/bin', name), join(folder, name));
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
