import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '@casewatch/dev/servers';

export interface TempFolder {
  path: string;
  remove(): Promise<void>;
}

/** Of this user: the folders of others are theirs to remove. */
const prefix = `casewatch-test-${userInfo().uid}-`;
const memoryDisk = '/dev/shm';
/** Free space that a memory disk must have for the servers of several test files, bytes. */
const neededBytes = 8 * 2 ** 30;

/** A new folder of this process: on a memory disk if there is a large one, else in the system's temporary folder. */
export async function tempFolder(): Promise<TempFolder> {
  const parent = (await hasMemoryDisk()) ? memoryDisk : tmpdir();
  await removeAbandoned(parent);
  const path = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
  return { path, remove: () => remove(path) };
}

/** An interrupted run removes nothing: on a memory disk its 300 MB would stay in memory. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (!isAlive(pid)) await remove(join(parent, name));
  }
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 3 });
}

async function hasMemoryDisk(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(memoryDisk);
    return bavail * bsize >= neededBytes;
  } catch {
    // Only Linux has a memory disk here.
    return false;
  }
}
