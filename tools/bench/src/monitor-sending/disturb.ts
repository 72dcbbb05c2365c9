import { setTimeout as delay } from 'node:timers/promises';
import { end } from '../kit/processes.ts';
import { freeze, type Replicas } from './replicas.ts';

/** A time in which one sender held the lease undisturbed, and how it ended; times are ms since 1970. */
export type Term = {
  fromMs: number;
  toMs: number;
  ending: 'killed' | 'frozen' | 'end';
  /** From when another replica could go on: a frozen replica that is alone cannot. */
  vacantMs: number;
};

/** Between two faults, ms; longer than a lease, so that each term can be judged separately. */
const termMs = 45_000;
/** Longer than the lease. */
const frozenMs = 22_000;
const takeOverMs = 40_000;

/** Kills and freezes the sender by turns. A killed sender starts again at once; a frozen one goes on after its lease. */
export async function disturb(replicas: Replicas, roundMs: number): Promise<Term[]> {
  const terms: Term[] = [];
  const recovering: Promise<void>[] = [];
  const endMs = Date.now() + roundMs;
  let { replica, sinceMs } = await replicas.nextHolder(0, takeOverMs);
  for (let fault = 0; ; fault++) {
    // The last fault leaves time for its take-over.
    const isLast = sinceMs + termMs > endMs - takeOverMs;
    await delay(Math.max(0, (isLast ? endMs : sinceMs + termMs) - Date.now()));
    const toMs = Date.now();
    if (isLast) {
      terms.push({ fromMs: sinceMs, toMs, ending: 'end', vacantMs: toMs });
      break;
    }
    const ending = fault % 2 === 0 ? 'killed' : 'frozen';
    const isAlone = ending === 'frozen' && replicas.count() === 1;
    terms.push({ fromMs: sinceMs, toMs, ending, vacantMs: isAlone ? toMs + frozenMs : toMs });
    recovering.push(
      ending === 'killed' ? end(replica, 'SIGKILL').then(() => replicas.start()) : freeze(replica, frozenMs),
    );
    ({ replica, sinceMs } = await replicas.nextHolder(toMs, takeOverMs));
  }
  await Promise.all(recovering);
  return terms;
}
