/** Forces elections of MongoDB, most of them while replication is stopped, and counts phantom, lost and double events. */
import { setTimeout as delay } from 'node:timers/promises';
import { startReplicaSet } from '@casewatch/testing';
import { judge } from './elections/judge.ts';
import { startElectionWorld } from './elections/world.ts';
import { numberOptions, say } from './kit/cli.ts';

/** How long replication is stopped before an election, ms: longer than the relay's sweep, shorter than a commit may wait. */
const lagMs = 3_000;
/** How long a new primary waits for writes of the former one, ms. */
const catchUpMs = 500;
const recoverMs = 60_000;

const { elections, writers } = numberOptions({ elections: 30, writers: 12 });
const set = await startReplicaSet({ catchUpMs });
const world = await startElectionWorld(set, writers);
const counts = { kills: 0, stepdowns: 0, lagging: 0 };
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
    counts[isKill ? 'kills' : 'stepdowns'] += 1;
    if (isLagging) counts.lagging += 1;
    const { acknowledged, failures } = world.progress();
    say(`${i + 1} elections, ${acknowledged} transactions committed, ${failures} failed`);
  }
  await world.waitUntilQuiet(recoverMs * 2);
  process.exitCode = judge(await world.result(), counts) ? 0 : 1;
} finally {
  await world.stop();
  await set.stop();
}
