import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { startKubectl } from '../verify/kubectl.ts';
import { inMongo, secondary } from './members.ts';

/** What a backup is called in its folder. */
export const archiveName = 'mongodb.tar.gz';

/**
 * Copies a secondary's files while its writes wait: all databases at one point in time. The primary goes on.
 * @returns the archive's path
 */
export async function backUp(folder: string, say: (line: string) => void): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const member = await secondary();
  const archive = join(folder, archiveName);
  say(`copying ${member} …`);
  await inMongo(member, 'db.fsyncLock()');
  try {
    await copyFiles(member, archive);
  } finally {
    await inMongo(member, 'db.fsyncUnlock()');
  }
  return archive;
}

async function copyFiles(member: string, archive: string): Promise<void> {
  // The folder itself is not ours to change when it is unpacked: what is in it, then.
  const tar = ['bash', '-c', 'cd /data/db && exec tar --create --gzip --exclude=mongod.lock *'];
  const args = ['exec', member, '--container', 'mongod', '--', ...tar];
  const { child, ended } = startKubectl(args, ['ignore', 'pipe', 'inherit']);
  if (!child.stdout) throw new Error('kubectl has no output');
  // It holds everything that people told us: for its owner's eyes alone.
  await pipeline(child.stdout, createWriteStream(archive, { mode: 0o600 }));
  const code = await ended;
  if (code !== 0) throw new Error(`copying ended with ${code}`);
}
