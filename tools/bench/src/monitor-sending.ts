/** How much of the government's rate the monitor uses while senders are killed and frozen (G9 in quality.md). */
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@casewatch/testing';
import { exitOnSignals, say, table, textOptions } from './kit/cli.ts';
import { end } from './kit/processes.ts';
import { percentiles } from './kit/statistics.ts';
import { disturb } from './monitor-sending/disturb.ts';
import { judge } from './monitor-sending/judge.ts';
import { startWorld } from './monitor-sending/world.ts';

const aims = { used: 0.94, takeOverS: 16 };
const budget = 400;
/** No request for so long: the day's quota is used, ms. */
const quietMs = 30_000;
const patience = { timeoutMs: 120_000, intervalMs: 250, what: 'more requests' };

/** Minutes are the length of each round; rate is what the government allows, requests/s. */
const values = textOptions({ minutes: '10', rate: '5', replicas: '1,2,4' });
const [rate, minutes] = [Number(values.rate), Number(values.minutes)];
const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
exitOnSignals();

say(`# monitor sending: ${rate} requests/s allowed, ${minutes} min a round; judged by the stand-in's ledger`);
const rounds: Awaited<ReturnType<typeof round>>[] = [];
for (const count of values.replicas.split(',')) rounds.push(await round(Number(count)));
const day = await spendDay();
table(rounds.map(({ row }) => row));
say(
  `aims: least gap ≥ ${(950 / rate).toFixed(1)} ms, 0 short gaps, 0 refused, used ≥ ${percent(aims.used)} of 95 % at most, take-overs ≤ ${aims.takeOverS} s`,
);
say(
  `a day's quota of ${budget}, two replicas, one killed and one frozen: ${day} requests (aim ≤ ${budget}), ${budget - day} lost with a process`,
);
const isMet = rounds.every((result) => result.isMet) && day <= budget;
say(isMet ? 'all aims met' : 'NOT all aims met');
process.exitCode = isMet ? 0 : 1;

async function round(count: number) {
  const world = await startWorld(rate, Math.ceil(rate * (minutes * 60 + 60)));
  try {
    const before = (await world.ledger()).length;
    for (let i = 0; i < count; i++) await world.replicas.start();
    const timerLateness = measureTimers();
    const terms = await disturb(world.replicas, minutes * 60_000);
    const lateness = percentiles(timerLateness());
    const result = judge((await world.ledger()).slice(before), terms, rate);
    const slowest = Math.max(0, ...result.takeOvers);
    const row = {
      replicas: count,
      requests: result.requests,
      'least gap ms': result.leastGapMs.toFixed(1),
      'short gaps': result.shortGaps,
      refused: result.refused,
      used: percent(result.used),
      'worst term': percent(result.usedWorst),
      'take-overs s': result.takeOvers.map((s) => s.toFixed(1)).join(' '),
      "machine's timers late ms, p50 p99 max": `${lateness.p50.toFixed(1)} ${lateness.p99.toFixed(1)} ${lateness.max.toFixed(0)}`,
    };
    const isMet =
      result.shortGaps + result.refused === 0 && result.used >= aims.used && slowest <= aims.takeOverS;
    return { row, isMet };
  } finally {
    await world.stop();
  }
}

/** A small day's quota, used by two replicas of which one is killed and one frozen. @returns how many requests were sent */
async function spendDay(): Promise<number> {
  const world = await startWorld(rate, budget * 3, {
    USCIS_DAILY_BUDGET: String(budget),
    MONITOR_INTERACTIVE_SHARE: '0',
  });
  try {
    const { replicas, ledger } = world;
    const before = (await ledger()).length;
    const sent = async () => (await ledger()).length - before;
    await replicas.start();
    await replicas.start();
    const first = await replicas.nextHolder(0, quietMs);
    await waitFor(async () => (await sent()) > budget / 4, patience);
    await end(first.replica, 'SIGKILL');
    const second = await replicas.nextHolder(first.sinceMs, quietMs);
    await waitFor(async () => (await sent()) > budget / 2, patience);
    const third = replicas.start();
    second.replica.child.kill('SIGSTOP');
    await third;
    await replicas.nextHolder(second.sinceMs, quietMs);
    await delay(2_000);
    second.replica.child.kill('SIGCONT');
    let requests = 0;
    for (let quietSinceMs = Date.now(); Date.now() - quietSinceMs < quietMs; await delay(500)) {
      const now = await sent();
      if (now !== requests) quietSinceMs = Date.now();
      requests = now;
    }
    return requests;
  } finally {
    await world.stop();
  }
}

/** Watches the timers of this idle process: no sender on this machine can be more punctual. @returns how to end it, with the lateness of each timer, ms */
function measureTimers(): () => number[] {
  const everyMs = 20;
  const lateness: number[] = [];
  let dueMs = performance.now() + everyMs;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    lateness.push(Math.max(0, nowMs - dueMs));
    dueMs = nowMs + everyMs;
  }, everyMs);
  return () => {
    clearInterval(timer);
    return lateness;
  };
}
