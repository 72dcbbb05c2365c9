import { disturb } from './monitor-sending/disturb.ts';
import { judge } from './monitor-sending/judge.ts';
import { spendADay } from './monitor-sending/quota.ts';
import { readSettings } from './monitor-sending/settings.ts';
import { watchTimers } from './monitor-sending/timers.ts';
import { startWorld } from './monitor-sending/world.ts';

/** quality.md, G9; monitor.md, Budget. */
const aims = { used: 0.94, takeOverS: 16 };

const settings = readSettings(process.argv.slice(2));
const { rate, minutes } = settings;
const say = (line: string) => process.stdout.write(`${line}\n`);
const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
let isMet = true;
// Leaves nothing behind: what was started ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

say(`# monitor sending: ${rate} requests/s allowed, ${minutes} min a round; by the stand-in's ledger alone`);
for (const count of settings.replicas) await round(count);
const day = await spendADay(rate);
say(
  `the day's quota of ${day.budget}, two replicas, one killed and one frozen: ${day.requests} requests (aim ≤ ${day.budget}), ${day.lost} permits lost with a process`,
);
isMet &&= day.requests <= day.budget;
say(isMet ? 'all aims met' : 'NOT all aims met');
process.exitCode = isMet ? 0 : 1;

async function round(count: number): Promise<void> {
  const receipts = Math.ceil(rate * (minutes * 60 + 60));
  const world = await startWorld(rate, receipts);
  try {
    const before = (await world.standIn.ledger()).length;
    for (let i = 0; i < count; i++) await world.replicas.start();
    const timers = watchTimers();
    const terms = await disturb(world.replicas, minutes * 60_000);
    const lateness = timers();
    const found = judge((await world.standIn.ledger()).slice(before), terms, rate);
    const slowest = Math.max(0, ...found.takeOvers);
    const leastMs = 950 / rate;
    say(`replicas: ${count}; ${found.requests} requests, ${found.takeOvers.length} take-overs`);
    say(
      `  least gap ${found.leastGapMs.toFixed(1)} ms (aim ≥ ${leastMs.toFixed(1)}), ${found.shortGaps} below; ${found.refused} refused as spikes (aim 0)`,
    );
    say(
      `  rate used under the lease ${percent(found.used)} (aim ≥ ${percent(aims.used)}, of 95 % at most), worst term ${percent(found.usedWorst)}`,
    );
    say(`  take-overs, s: ${found.takeOvers.map((s) => s.toFixed(1)).join(' ')} (aim ≤ ${aims.takeOverS})`);
    say(
      `  this machine's timers were late by p50 ${lateness.p50Ms.toFixed(1)}, p99 ${lateness.p99Ms.toFixed(1)}, max ${lateness.maxMs.toFixed(0)} ms; ${percent(lateness.over20)} by more than 20 ms`,
    );
    isMet &&=
      found.shortGaps === 0 && found.refused === 0 && found.used >= aims.used && slowest <= aims.takeOverS;
  } finally {
    await world.stop();
  }
}
