import { setTimeout as delay } from 'node:timers/promises';
import { startWorld } from './world.ts';

const budget = 400;
/** Nothing was asked for so long: the day's budget is used. */
const quietMs = 30_000;

/** A small day's quota, spent by two replicas of which one is killed and one frozen meanwhile. */
export async function spendADay(rate: number): Promise<{ budget: number; requests: number; lost: number }> {
  const world = await startWorld(rate, budget * 3, {
    USCIS_DAILY_BUDGET: String(budget),
    MONITOR_INTERACTIVE_SHARE: '0',
  });
  try {
    const { replicas, standIn } = world;
    const before = (await standIn.ledger()).length;
    const asked = async () => (await standIn.ledger()).length - before;
    await replicas.start();
    await replicas.start();
    const first = await replicas.nextHolder(0, quietMs);
    await until(async () => (await asked()) > budget / 4);
    first.replica.child.kill('SIGKILL');
    const second = await replicas.nextHolder(first.sinceMs, quietMs);
    await until(async () => (await asked()) > budget / 2);
    const third = replicas.start();
    second.replica.child.kill('SIGSTOP');
    await third;
    await replicas.nextHolder(second.sinceMs, quietMs);
    await delay(2_000);
    second.replica.child.kill('SIGCONT');
    let requests = 0;
    for (let quietSinceMs = Date.now(); Date.now() - quietSinceMs < quietMs; await delay(500)) {
      const now = await asked();
      if (now !== requests) quietSinceMs = Date.now();
      requests = now;
    }
    return { budget, requests, lost: budget - requests };
  } finally {
    await world.stop();
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + 120_000; !(await holds()); await delay(250))
    if (Date.now() > giveUpAt) throw new Error('nothing more was asked');
}
