import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deletedUsers } from '@casewatch/platform';
import { identityAdmin } from '../kit/identity-admin.ts';
import { withOperator } from './operator-bus.ts';

const fileName = 'erased-users.json';
const idsPerCall = 500;

/**
 * The ids of users whose deletion is still in NATS. They are also kept in a file beside the backup: a restore deletes the
 * streams before it applies the deletions, and may have to be tried again.
 */
export async function readErasedUsers(folder: string, say: (line: string) => void): Promise<number[]> {
  const file = join(folder, fileName);
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  const inStream = await withOperator(deletedUsers);
  if (inStream === null) say('NATS has lost its streams: users deleted since the backup are unknown');
  const users = [...new Set([...(JSON.parse(kept) as number[]), ...(inStream ?? [])])];
  await writeFile(file, `${JSON.stringify(users)}\n`, { mode: 0o600 });
  return users;
}

/** Deletes again the users that the restore brought back; events inform the other services. */
export async function eraseAgain(users: readonly number[], say: (line: string) => void): Promise<void> {
  let deleted = 0;
  for (let i = 0; i < users.length; i += idsPerCall) {
    const ids = users.slice(i, i + idsPerCall).join(',');
    deleted += (await identityAdmin<{ deleted: number[] }>(['user', 'delete', '--users', ids])).deleted
      .length;
  }
  say(`${users.length} users were deleted lately; ${deleted} of them were back and are deleted again`);
}
