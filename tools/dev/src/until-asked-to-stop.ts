/** A terminal's Ctrl-C may arrive twice, directly and passed on by npm: that is one wish. */
const ONE_WISH_MS = 1_500;

/**
 * Aborted by SIGINT, SIGTERM, SIGHUP, or when the process that started this one is gone. A second signal ends this
 * process at once; what it started is then ended by the guard.
 */
export function untilAskedToStop(): AbortSignal {
  const asked = new AbortController();
  let since = 0;
  const ask = (): void => {
    if (!asked.signal.aborted) {
      since = performance.now();
      asked.abort();
    } else if (performance.now() - since > ONE_WISH_MS) {
      process.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  process.on('disconnect', () => asked.abort());
  // The listener above must not keep the process running by itself.
  process.channel?.unref();
  return asked.signal;
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  // An AbortSignal alone does not keep Node running.
  const keepAlive = setInterval(() => {}, 60_000);
  return new Promise((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        clearInterval(keepAlive);
        resolve();
      },
      { once: true },
    );
  });
}
