import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp } from '../../backup/back-up.ts';
import { restore } from '../../backup/restore.ts';
import type { Check } from '../check.ts';
import { kubectl, podsOf } from '../kubectl.ts';
import { rolledOut } from '../rolled-out.ts';
import { createWitness } from '../witness.ts';

const cases = 4;

/**
 * What was there at the backup is there after the restore, what came later is not, and with NATS emptied too
 * the streams are declared and filled again.
 */
export const backupAndRestore: Check = {
  name: 'backup-restore',
  promise: 'MongoDB restored from a backup and NATS from nothing: the state of the backup, and work goes on',
  async run({ reached, say }) {
    const system = await reached();
    const witness = await createWitness(system, cases);
    await witness.change();
    await witness.settled(120_000);
    const folder = await mkdtemp(join(tmpdir(), 'casewatch-backup-'));
    try {
      await backUp(folder, say);
      const later = await createWitness(system, 1);
      await emptyNats(say);
      await restore(folder, say);
      const left = await witness.missing();
      const ghosts = await later.missing();
      await witness.change();
      const tookMs = await witness.settled(180_000);
      const isGone = ghosts.some((fault) => fault.endsWith('answered 404'));
      return {
        ok: left.length === 0 && isGone,
        measured: `${left.length} faults after the restore, what came later ${isGone ? 'is gone' : 'IS THERE'}, a new change everywhere after ${(tookMs / 1000).toFixed(1)} s`,
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** All three members lose their volumes at once. */
async function emptyNats(say: (line: string) => void): Promise<void> {
  say('emptying NATS …');
  for (const { metadata } of await podsOf('nats'))
    await kubectl(['exec', metadata.name, '--container', 'nats', '--', 'sh', '-c', 'rm -rf /data/jetstream']);
  await kubectl(['delete', 'pod', '--selector=app.kubernetes.io/name=nats', '--grace-period=0', '--force']);
  await rolledOut(300_000, say);
}
