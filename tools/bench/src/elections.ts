/**
 * Forces elections of MongoDB while transactions add events, most of them while replication is stopped, so that writes are
 * rolled back. Counts events that are published though their transaction was rolled back, that are lost, and double effects.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startReplicaSet } from '@casewatch/testing';
import { judge } from './elections/judge.ts';
import { startElectionWorld } from './elections/world.ts';

const form = 'npm run bench -- elections [--elections 30] [--writers 12]';
/** How long replication is stopped before an election, ms: longer than the relay's sweep, shorter than a commit may wait. */
const lagMs = 3_000;
/** How long a new primary waits for writes of the former one, ms. */
const catchUpMs = 500;
const recoverMs = 60_000;

const { values } = parseArgs({
  options: {
    elections: { type: 'string', default: '30' },
    writers: { type: 'string', default: '12' },
  },
});
const [elections, writers] = [Number(values.elections), Number(values.writers)];
const say = (line: string) => process.stdout.write(`${line}\n`);

if (!Number.isInteger(elections) || !Number.isInteger(writers) || elections < 1 || writers < 1) {
  process.stderr.write(`Both are whole numbers from 1 on: ${form}\n`);
  process.exitCode = 2;
} else process.exitCode = await run();

async function run(): Promise<number> {
  const set = await startReplicaSet({ catchUpMs });
  const world = await startElectionWorld(set, writers);
  const made = { kills: 0, stepdowns: 0, lagging: 0 };
  try {
    await world.recovered(recoverMs);
    for (let i = 0; i < elections; i++) {
      const isKill = i % 2 === 0;
      const isLagging = i % 6 < 4;
      if (isLagging) await set.stopReplication();
      await delay(isLagging ? lagMs : 1_000);
      if (isKill) await set.killPrimary();
      else await set.stepDownPrimary();
      if (isLagging) await set.resumeReplication();
      await set.startKilled();
      await world.recovered(recoverMs);
      made[isKill ? 'kills' : 'stepdowns'] += 1;
      if (isLagging) made.lagging += 1;
      say(`${i + 1} elections, ${world.told.size} transactions committed, ${world.failures()} failed`);
    }
    await world.settle(recoverMs * 2);
    return judge(await world.found(), made, say) ? 0 : 1;
  } finally {
    await world.stop();
    await set.stop();
  }
}
