import { setTimeout as delay } from 'node:timers/promises';
import { startChanges } from './monitor-schedule/changes-world.ts';
import { randomFrom } from './monitor-schedule/random.ts';
import { readChangeSettings } from './monitor-schedule/settings.ts';

/** Changes are made in rounds of so many, so that some are under way at each kill. */
const roundMs = 200;
const patienceMs = 120_000;

const settings = readChangeSettings(process.argv.slice(2));
const random = randomFrom(settings.seed);
const say = (line: string) => process.stdout.write(`${line}\n`);

const world = await startChanges(settings);
try {
  say(
    `# monitor schedule changes: ${settings.changes} changes of ${settings.receipts} receipts, ${settings.replicas} replicas, a kill every ${settings.killSeconds} s, seed ${settings.seed}`,
  );
  await world.watchAll();
  let made = 0;
  let kills = 0;
  let killAtMs = performance.now() + settings.killSeconds * 1_000;
  while (made < settings.changes) {
    // A receipt is changed again only when its cases heard of the change before: so each change is seen.
    const settled = world.settledReceipts();
    const count = Math.min(settings.changes - made, Math.ceil(settled.length / 4));
    for (let i = 0; i < count; i++) {
      const [receipt] = settled.splice(Math.floor(random() * settled.length), 1);
      if (receipt === undefined) break;
      await world.change(receipt, ++made);
    }
    if (performance.now() >= killAtMs) {
      await world.killOne(random());
      kills += 1;
      killAtMs = performance.now() + settings.killSeconds * 1_000 * (0.5 + random());
    }
    if (made % 500 < count) say(`${made} changes made, ${kills} kills, ${world.updates()} updates`);
    await delay(roundMs);
  }
  const giveUpAtMs = performance.now() + patienceMs;
  while (world.settledReceipts().length < settings.receipts && performance.now() < giveUpAtMs)
    await delay(roundMs);
  // What would come twice comes by now: every receipt was asked for again.
  await world.oneMoreRound();
  process.exitCode = (await world.verdict(say, { made, kills })) ? 0 : 1;
} finally {
  await world.stop();
}
