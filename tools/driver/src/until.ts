import { setTimeout as delay } from 'node:timers/promises';
import { DriverError } from './errors.ts';

export interface Waiting {
  /** Default 60,000. */
  timeoutMs?: number;
  /** Pause between two tries; default: 10 at first, longer with each try, at most 200. */
  intervalMs?: number;
  /** The awaited thing, for the error. */
  what?: string;
  /** Errors of `fn` after which it is called again; default: none. */
  retryIf?: (err: unknown) => boolean;
  signal?: AbortSignal;
}

const firstPauseMs = 10;
const longestPauseMs = 200;
const growth = 1.5;

type Truthy<T> = Exclude<T, undefined | null | false | 0 | ''>;

/** Calls `fn` until it returns something truthy. @throws DriverError after the time, with the last value or error */
export async function until<T>(
  fn: () => T | Promise<T>,
  { timeoutMs = 60_000, intervalMs, what = 'the awaited', retryIf, signal }: Waiting = {},
): Promise<Truthy<T>> {
  const deadline = Date.now() + timeoutMs;
  for (let tries = 0; ; tries++) {
    signal?.throwIfAborted();
    let last: string;
    try {
      const value = await fn();
      if (value) return value as Truthy<T>;
      last = `last seen: ${JSON.stringify(value)}`;
    } catch (err) {
      if (!retryIf?.(err)) throw err;
      last = err instanceof Error ? err.message : String(err);
    }
    if (Date.now() >= deadline) {
      throw new DriverError(`${what} did not happen within ${timeoutMs} ms (${last})`);
    }
    await delay(intervalMs ?? Math.min(firstPauseMs * growth ** tries, longestPauseMs));
  }
}
