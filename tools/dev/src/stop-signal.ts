/** npm passes on a Ctrl-C that the terminal has sent already: two signals within this time are one. */
const REPEATED_SIGNAL_MS = 1_500;

/** Aborted by SIGINT, SIGTERM, SIGHUP or the end of the parent process. A second signal ends this process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let abortedAtMs = 0;
  const onSignal = (): void => {
    if (!controller.signal.aborted) {
      abortedAtMs = performance.now();
      controller.abort();
    } else if (performance.now() - abortedAtMs > REPEATED_SIGNAL_MS) {
      process.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  process.on('disconnect', () => controller.abort());
  // The listener must not keep the process alive.
  process.channel?.unref();
  return controller.signal;
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
