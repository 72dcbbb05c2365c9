import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { startKubectl } from '../kit/kubectl.ts';
import { erasuresInMongo, writeErasures } from './erased-users.ts';
import { inMongo, secondary } from './members.ts';

export const archiveName = 'mongodb.tar.gz';

/**
 * Copies a secondary's files while its writes are locked, so all databases at one moment. Beside them it writes who was erased
 * until then. @returns the archive's path
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
  await writeErasures(folder, await erasuresInMongo());
  return archive;
}

async function copyFiles(member: string, archive: string): Promise<void> {
  // The folder itself is left out: unpacking may not change its owner or mode.
  const tar = ['bash', '-c', 'cd /data/db && exec tar --create --gzip --exclude=mongod.lock *'];
  const args = ['exec', member, '--container', 'mongod', '--', ...tar];
  const { child, ended } = startKubectl(args, ['ignore', 'pipe', 'inherit']);
  if (!child.stdout) throw new Error('kubectl has no output');
  // The archive holds personal data: only its owner may read it.
  await pipeline(child.stdout, createWriteStream(archive, { mode: 0o600 }));
  const code = await ended;
  if (code !== 0) throw new Error(`copying ended with ${code}`);
}
