import { setTimeout as delay } from 'node:timers/promises';
import type { Replica, Replicas } from './replicas.ts';

/** One time in which a sender held the lease and was left alone, and what ended it (ms since 1970). */
export type Term = {
  fromMs: number;
  toMs: number;
  ending: 'killed' | 'frozen' | 'end';
  /** From when there was somebody who could go on: a frozen one that is alone cannot. */
  vacantMs: number;
};

/** Between two faults, ms; longer than a lease, so that each term can be judged by itself. */
const termMs = 45_000;
/** Longer than the lease. */
const frozenMs = 22_000;
const takeOverMs = 40_000;

/**
 * Kills and freezes whoever sends, by turns, for as long as the round lasts. A killed one is started again at once, a
 * frozen one goes on after its lease has ended. Returns the terms.
 */
export async function disturb(replicas: Replicas, roundMs: number): Promise<Term[]> {
  const terms: Term[] = [];
  const thawing: Promise<void>[] = [];
  const endMs = Date.now() + roundMs;
  let { replica, sinceMs } = await replicas.nextHolder(0, takeOverMs);
  for (let fault = 0; ; fault++) {
    // No fault whose take-over the round would not see.
    const isLast = sinceMs + termMs > endMs - takeOverMs;
    await delay(Math.max(0, (isLast ? endMs : sinceMs + termMs) - Date.now()));
    const toMs = Date.now();
    if (isLast) {
      terms.push({ fromMs: sinceMs, toMs, ending: 'end', vacantMs: toMs });
      break;
    }
    const ending = fault % 2 === 0 ? 'killed' : 'frozen';
    const isAlone = ending === 'frozen' && replicas.count() === 1;
    const term = { fromMs: sinceMs, toMs, ending, vacantMs: isAlone ? toMs + frozenMs : toMs } as const;
    terms.push(term);
    thawing.push(ending === 'killed' ? kill(replicas, replica) : freeze(replica));
    ({ replica, sinceMs } = await replicas.nextHolder(toMs, takeOverMs));
  }
  await Promise.all(thawing);
  return terms;
}

async function kill(replicas: Replicas, { child, ended }: Replica): Promise<void> {
  child.kill('SIGKILL');
  await ended;
  await replicas.start();
}

async function freeze({ child }: Replica): Promise<void> {
  child.kill('SIGSTOP');
  await delay(frozenMs);
  child.kill('SIGCONT');
}
