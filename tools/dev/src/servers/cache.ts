import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { machineKey, programName } from './machine.ts';
import type { ServerName } from './pins.ts';

export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const root = env.CASEWATCH_CACHE || join(import.meta.dirname, '../../../../.cache');
  return join(resolve(root), 'servers');
}

export async function findCached(
  folder: string,
  name: ServerName,
  version: string,
): Promise<string | undefined> {
  const path = join(folder, `${name}-${version}-${machineKey()}`, programName(name));
  return access(path).then(
    () => path,
    () => undefined,
  );
}

/** Stores a binary under a temporary name, tries it and renames it: two starts never see an incomplete file. */
export async function addToCache(
  folder: string,
  name: ServerName,
  version: string,
  content: Buffer,
): Promise<string> {
  const final = join(folder, `${name}-${version}-${machineKey()}`);
  const temporary = `${final}.${process.pid}-${randomBytes(4).toString('hex')}`;
  await mkdir(temporary, { recursive: true });
  try {
    const path = join(temporary, programName(name));
    await writeFile(path, content);
    await chmod(path, 0o755);
    const reported = await binaryVersion(path);
    if (reported !== version) throw new Error(`${name} says it is ${reported}, expected ${version}`);
    await moveInto(temporary, final);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return join(final, programName(name));
}

/** The rename fails if another start was faster; its binary is the same. */
async function moveInto(temporary: string, final: string): Promise<void> {
  try {
    await rename(temporary, final);
  } catch (err) {
    const code = (err as NodeJS.ErrnoException).code ?? '';
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(code)) throw err;
  }
}

const TIMEOUT_MS = 20_000;

/**
 * The version that `<path> --version` prints.
 * @throws Error if the program does not run; the message names missing libraries
 */
export async function binaryVersion(path: string): Promise<string> {
  const { stdout } = await run(path);
  // "db version v6.0.5", "nats-server: v2.15.1"
  const match = /v(\d+\.\d+\.\d+)/.exec(stdout);
  if (match?.[1] === undefined) throw new Error(`${path} --version names no version`);
  return match[1];
}

async function run(path: string): Promise<{ stdout: string }> {
  try {
    return await promisify(execFile)(path, ['--version'], { timeout: TIMEOUT_MS });
  } catch (err) {
    const stderr = (err as { stderr?: string }).stderr ?? '';
    // "mongod: error while loading shared libraries: libcurl.so.4: cannot open shared object file: …"
    const library = /loading shared libraries: (\S+):/.exec(stderr)?.[1];
    if (library !== undefined) {
      const hint = library.startsWith('libcurl') ? ' (Debian and Ubuntu: apt-get install libcurl4)' : '';
      throw new Error(`${path} needs ${library}, which this machine lacks${hint}`);
    }
    const line = stderr.trim().split('\n')[0] || (err instanceof Error ? err.message : String(err));
    throw new Error(`${path} cannot be run: ${line}`);
  }
}
