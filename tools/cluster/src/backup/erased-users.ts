import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deletedUsers } from '@casewatch/platform';
import { identityAdmin } from '../verify/rotations/identity-admin.ts';
import { withOperator } from './operator-bus.ts';

const fileName = 'erased-users.json';
/** The ids of one call: they are on a command line. */
const idsPerCall = 500;

/**
 * The users whose deletion NATS still tells of. They are also kept beside the backup, ids alone: the streams are deleted before
 * the deletions are applied, so a restore that is tried again finds them there.
 */
export async function readErasedUsers(folder: string, say: (line: string) => void): Promise<number[]> {
  const file = join(folder, fileName);
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  const told = await withOperator(deletedUsers);
  if (told === null) say('NATS has lost its streams: it does not tell who was deleted since the backup');
  const users = [...new Set([...(JSON.parse(kept) as number[]), ...(told ?? [])])];
  await writeFile(file, `${JSON.stringify(users)}\n`, { mode: 0o600 });
  return users;
}

/** Deletes these users again, where the restore brought them back; the other services hear of it by event. */
export async function eraseAgain(users: readonly number[], say: (line: string) => void): Promise<void> {
  let deleted = 0;
  for (let i = 0; i < users.length; i += idsPerCall) {
    const ids = users.slice(i, i + idsPerCall).join(',');
    deleted += (await identityAdmin<{ deleted: number[] }>(['user', 'delete', '--users', ids])).deleted
      .length;
  }
  say(`${users.length} users were deleted lately; ${deleted} of them were back, and are deleted again`);
}
