import { afterAll } from '@jest/globals';

/** Starts `value` at the first call, for all tests of a file. It is stopped after the last of them. */
export function shared<T>(start: () => Promise<{ value: T; stop(): Promise<unknown> }>): () => Promise<T> {
  let started: ReturnType<typeof start> | undefined;
  afterAll(() => started?.then(({ stop }) => stop()), 60_000);
  return async () => {
    started ??= start();
    return (await started).value;
  };
}
