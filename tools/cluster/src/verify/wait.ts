import { setTimeout as delay } from 'node:timers/promises';

type Waiting = { what: string; timeoutMs: number; intervalMs?: number };

/**
 * Asks until the answer is neither false, null nor undefined; a question that fails is asked again.
 * @throws Error naming what did not come, and why the last question failed
 */
export async function until<T>(
  ask: () => Promise<T | false | null | undefined>,
  { what, timeoutMs, intervalMs = 500 }: Waiting,
): Promise<T> {
  let last: unknown;
  for (const deadline = performance.now() + timeoutMs; ; ) {
    try {
      const answer = await ask();
      if (answer !== false && answer !== null && answer !== undefined) return answer;
      last = undefined;
    } catch (err) {
      last = err;
    }
    if (performance.now() > deadline) {
      const why = last instanceof Error ? `: ${last.message}` : '';
      throw new Error(`${what} did not come within ${timeoutMs / 1000} s${why}`);
    }
    await delay(intervalMs);
  }
}
