import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempFolder {
  path: string;
  remove(): Promise<void>;
}

const memoryDisk = '/dev/shm';
/** Free space that a memory disk must have for the servers of several test files, bytes. */
const neededBytes = 8 * 2 ** 30;

/** A new folder: on a memory disk if there is a large one, else in the system's temporary folder. */
export async function tempFolder(): Promise<TempFolder> {
  const path = await mkdtemp(join((await hasMemoryDisk()) ? memoryDisk : tmpdir(), 'casewatch-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
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
