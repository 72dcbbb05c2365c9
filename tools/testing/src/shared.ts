import { afterAll } from '@jest/globals';

const stops: (() => Promise<unknown>)[] = [];

// A suite loads this module before its files, so that this hook is of the whole suite.
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
}, 120_000);

/** Starts `value` at the first call, for all files of a suite. It is stopped after the last of them. */
export function shared<T>(start: () => Promise<{ value: T; stop(): Promise<unknown> }>): () => Promise<T> {
  let started: ReturnType<typeof start> | undefined;
  return async () => {
    started ??= start();
    const { value, stop } = await started;
    if (!stops.includes(stop)) stops.push(stop);
    return value;
  };
}
