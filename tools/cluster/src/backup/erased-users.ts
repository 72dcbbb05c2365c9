import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { erasureRecorded } from '@casewatch/contracts';
import { type RecordedErasure, recordedErasures } from '@casewatch/platform';
import { identityAdmin } from '../kit/identity-admin.ts';
import { until } from '../kit/wait.ts';
import { inMongo, primary } from './members.ts';
import { withOperator } from './operator-bus.ts';

export const erasuresFile = 'erased-users.json';
const script = join(import.meta.dirname, '../../../../deploy/erased-users.js');
const erasures = erasureRecorded.array();
const perCall = 500;
const longestMs = 300_000;

type Say = (line: string) => void;

/** What the services have recorded by now: beside a backup, it serves the restore of every older one. */
export async function erasuresInMongo(): Promise<RecordedErasure[]> {
  const printed = await inMongo(await primary(), await readFile(script, 'utf8'), longestMs);
  return erasures.parse(JSON.parse(printed.split('\n').at(-1) ?? ''));
}

export async function writeErasures(folder: string, found: readonly RecordedErasure[]): Promise<void> {
  await writeFile(join(folder, erasuresFile), `${JSON.stringify(found)}\n`, { mode: 0o600 });
}

async function erasuresIn(folder: string): Promise<RecordedErasure[]> {
  const text = await readFile(join(folder, erasuresFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  return erasures.parse(JSON.parse(text));
}

/**
 * Everything that is known of erasures: by NATS, by the databases that the restore replaces, and by the files beside backups.
 * The file beside this backup then has all of them, because a restore may have to be tried again.
 */
export async function collectErasures(
  folder: string,
  newerFolders: readonly string[],
  say: Say,
): Promise<RecordedErasure[]> {
  const inStream = await withOperator(recordedErasures);
  if (inStream === null) say('NATS has lost the stream of erasures');
  const inMongo = await erasuresInMongo().catch((error: unknown) => {
    say(`MongoDB does not tell of erasures: ${String(error)}`);
    return null;
  });
  const inFolders = await Promise.all([folder, ...newerFolders].map(erasuresIn));
  // A stream that was declared again is empty until identity fills it.
  if (!inStream?.length && inMongo === null && newerFolders.length === 0)
    throw new Error(
      'Who was erased since the backup is unknown. Name the folders of newer backups too: npm run restore -- <folder> <newer folder>',
    );
  const all = merged([...inFolders.flat(), ...(inMongo ?? []), ...(inStream ?? [])]);
  await writeErasures(folder, all);
  return all;
}

/** One record for each user; one that names a partner wins. */
export function merged(found: readonly RecordedErasure[]): RecordedErasure[] {
  const byUser = new Map<number, RecordedErasure>();
  for (const erasure of found) {
    const known = byUser.get(erasure.user_id);
    if (!known || (known.partner_id === null && erasure.partner_id !== null))
      byUser.set(erasure.user_id, erasure);
  }
  return [...byUser.values()];
}

/** Erases again whom the restore brought back. Resolves when the stream has all erasures: each service applies them at its start. */
export async function eraseAgain(found: readonly RecordedErasure[], say: Say): Promise<void> {
  let back = 0;
  for (let i = 0; i < found.length; i += perCall) {
    const some = JSON.stringify(found.slice(i, i + perCall));
    back += (await identityAdmin<{ erased: number[] }>(['user', 'erase-again', '--erasures', some])).erased
      .length;
  }
  await until(
    async () => {
      const inStream = new Set((await withOperator(recordedErasures))?.map(({ user_id }) => user_id));
      return found.every(({ user_id }) => inStream.has(user_id));
    },
    { what: 'the erasures in the stream', timeoutMs: longestMs },
  );
  say(`${found.length} erasures are recorded; ${back} users were still back and are erased again`);
}
