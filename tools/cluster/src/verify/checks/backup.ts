import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Check } from '../check.ts';
import { deadLetters } from '../dead-letters.ts';
import { restoreScenarios } from '../restore-scenarios.ts';

const printed = 4;

export const backupAndRestore: Check = {
  name: 'backup-restore',
  promise: `restored with ${restoreScenarios.map(({ name }) => name).join(', ')}: the state of the backup, nothing lost, work goes on`,
  async run({ reached, say }) {
    const system = await reached();
    const results: string[] = [];
    let isGood = true;
    for (const { name, run } of restoreScenarios) {
      const folder = await mkdtemp(join(tmpdir(), 'casewatch-backup-'));
      try {
        const faults = await run({ system, folder, say }).catch((error: unknown) => [String(error)]);
        say(`${name}: ${[`${faults.length} faults`, ...faults.slice(0, printed)].join('; ')}`);
        results.push(`${name}: ${faults.slice(0, printed).join(', ') || 'good'}`);
        isGood &&= faults.length === 0;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
    const letters = [...(await deadLetters()).values()].reduce((sum, count) => sum + count, 0);
    return { ok: isGood && letters === 0, measured: `${results.join('; ')}; ${letters} dead letters` };
  },
};
