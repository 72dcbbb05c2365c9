/** Whether each change of a status arrives once at each case while monitors are killed (I1 in quality.md). */
import { setTimeout as delay } from 'node:timers/promises';
import { exitOnSignals, numberOptions, say } from './kit/cli.ts';
import { randomFrom } from './kit/random.ts';
import { startChanges } from './monitor-schedule-changes/world.ts';

/** Pause between rounds of changes, ms: some changes are in progress at each kill. */
const roundMs = 200;
const patienceMs = 120_000;

const options = numberOptions({
  changes: 10_000,
  receipts: 300,
  replicas: 2,
  kill: 10,
  rate: 200,
  seed: 1,
});
const random = randomFrom(options.seed);
exitOnSignals();

say(`# monitor schedule-changes: ${JSON.stringify(options)}`);
const world = await startChanges(options);
try {
  await world.watchAll();
  let changes = 0;
  let kills = 0;
  let killAtMs = performance.now() + options.kill * 1_000;
  while (changes < options.changes) {
    // A receipt changes again only after its cases have the former change, so that each change is observed.
    const settled = world.settledReceipts();
    const count = Math.min(options.changes - changes, Math.ceil(settled.length / 4));
    for (let i = 0; i < count; i++) {
      const [receipt] = settled.splice(Math.floor(random() * settled.length), 1);
      if (receipt === undefined) break;
      await world.change(receipt, ++changes);
    }
    if (performance.now() >= killAtMs) {
      await world.killOne(random());
      kills += 1;
      killAtMs = performance.now() + options.kill * 1_000 * (0.5 + random());
    }
    if (changes % 500 < count) say(`${changes} changes, ${kills} kills, ${world.updates()} updates`);
    await delay(roundMs);
  }
  const giveUpAtMs = performance.now() + patienceMs;
  while (world.settledReceipts().length < options.receipts && performance.now() < giveUpAtMs)
    await delay(roundMs);
  // A second update of one change would arrive by now: every receipt is checked again.
  await world.oneMoreRound();
  process.exitCode = (await world.judge({ changes, kills })) ? 0 : 1;
} finally {
  await world.stop();
}
