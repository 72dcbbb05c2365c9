import { randomBytes } from 'node:crypto';
import { access, chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { binaryVersion } from './binary-version.ts';
import { machineKey, programName } from './machine.ts';
import type { ServerName } from './pins.ts';

/** The folder of the fetched servers: `.cache/servers` of the project; CASEWATCH_CACHE stands in for `.cache`. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const root = env.CASEWATCH_CACHE || join(import.meta.dirname, '../../../../.cache');
  return join(resolve(root), 'servers');
}

/** Path of the cached binary, or undefined when it has not been fetched yet. */
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

/**
 * Puts a binary into the cache and returns its path. Written under a temporary name, tried, then renamed: what
 * stands under its final name is whole and runs, and two starts at once do not meet half a file.
 * @throws Error when the binary does not run here or reports another version
 */
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

/** A rename onto a folder that is there fails: then another start was quicker, and its binary is as good. */
async function moveInto(temporary: string, final: string): Promise<void> {
  try {
    await rename(temporary, final);
  } catch (err) {
    const code = (err as NodeJS.ErrnoException).code ?? '';
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(code)) throw err;
  }
}
