const stops: (() => Promise<unknown>)[] = [];

/** `stop` is called after the last file of a suite. */
export function stopAfterSuite(stop: () => Promise<unknown>): void {
  stops.push(stop);
}

/** Starts `value` at the first call, for all files of a suite. It is stopped after the last of them. */
export function shared<T>(start: () => Promise<{ value: T; stop(): Promise<unknown> }>): () => Promise<T> {
  let started: Promise<T> | undefined;
  const startOnce = async (): Promise<T> => {
    const { value, stop } = await start();
    stopAfterSuite(async () => {
      started = undefined;
      await stop();
    });
    return value;
  };
  return () => {
    started ??= startOnce().catch((error: unknown) => {
      // The files after this one start it anew.
      started = undefined;
      throw error;
    });
    return started;
  };
}

/** jest's environment calls this after a suite, or after a file that runs alone. */
export async function stopShared(): Promise<void> {
  for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
}
