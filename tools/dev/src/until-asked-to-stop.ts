/** npm passes on a Ctrl-C that the terminal has sent already: two signals within this time are one. */
const ONE_WISH_MS = 1_500;

/** Aborted by SIGINT, SIGTERM, SIGHUP or the end of the parent process. A second signal ends this process at once. */
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
  // The listener must not keep the process alive.
  process.channel?.unref();
  return asked.signal;
}

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  // An AbortSignal does not keep Node alive.
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
