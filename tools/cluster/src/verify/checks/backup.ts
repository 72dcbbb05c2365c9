import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Check } from '../check.ts';
import { deadLetters } from '../dead-letters.ts';
import { consumerLag, natsKept, natsLost, oneService } from '../restores/situations.ts';

const situations = [natsKept, natsLost, oneService, consumerLag];

/** What was there at the backup is there after the restore, what was in flight is handled, and work goes on. */
export const backupAndRestore: Check = {
  name: 'backup-restore',
  promise: `restored with ${situations.map(({ name }) => name).join(', ')}: the state of the backup, nothing lost, work goes on`,
  async run({ reached, say }) {
    const system = await reached();
    const results: string[] = [];
    let isGood = true;
    for (const { name, run } of situations) {
      const folder = await mkdtemp(join(tmpdir(), 'casewatch-backup-'));
      try {
        const faults = await run({ system, folder, say }).catch((error: unknown) => [String(error)]);
        say(
          `${name}: ${faults.length} faults${faults
            .slice(0, 4)
            .map((fault) => `; ${fault}`)
            .join('')}`,
        );
        results.push(`${name}: ${faults.length === 0 ? 'good' : faults.slice(0, 4).join(', ')}`);
        isGood &&= faults.length === 0;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
    const letters = [...(await deadLetters()).values()].reduce((sum, count) => sum + count, 0);
    return { ok: isGood && letters === 0, measured: `${results.join('; ')}; ${letters} dead letters` };
  },
};
