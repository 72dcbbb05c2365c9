import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** Default 10,000. */
  timeoutMs?: number;
  /** Pause between two tries; default 25. */
  intervalMs?: number;
  /** What is awaited, in words, for the error. */
  what?: string;
}

type Truthy<T> = Exclude<T, undefined | null | false | 0 | ''>;

/**
 * Calls `fn` until it returns something truthy, and returns that.
 * @throws Error saying what did not happen in time and what `fn` returned last; whatever `fn` itself throws
 */
export async function waitFor<T>(
  fn: () => T | Promise<T>,
  { timeoutMs = 10_000, intervalMs = 25, what = 'the awaited' }: WaitOptions = {},
): Promise<Truthy<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await fn();
    if (value) return value as Truthy<T>;
    if (Date.now() >= deadline) {
      throw new Error(`${what} did not happen within ${timeoutMs} ms (last seen: ${JSON.stringify(value)})`);
    }
    await delay(intervalMs);
  }
}
