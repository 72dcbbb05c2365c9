import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempFolder {
  path: string;
  remove(): Promise<void>;
}

const memoryDisk = '/dev/shm';
/** Free space that a memory disk must have, bytes: servers of several test files have their data there at once. */
const neededBytes = 8 * 2 ** 30;

/** A new empty folder: on a memory disk where there is a large one, else in the system's place for temporary files. */
export async function tempFolder(): Promise<TempFolder> {
  const path = await mkdtemp(join((await hasMemoryDisk()) ? memoryDisk : tmpdir(), 'casewatch-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

async function hasMemoryDisk(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(memoryDisk);
    return bavail * bsize >= neededBytes;
  } catch {
    // There is none: not Linux.
    return false;
  }
}
