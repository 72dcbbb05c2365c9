/**
 * What Node.js prints by itself is a leak: a warning quotes the address that a library parsed, and an error that nobody caught is
 * printed with all its fields. With this, the log or the caller gets both, and the process still ends because of the error.
 */
export function guardOutput({
  onWarning,
  onFatal,
}: Record<'onWarning' | 'onFatal', (error: Error) => void>): void {
  process.removeAllListeners('warning');
  process.on('warning', onWarning);
  process.on('uncaughtException', (error: unknown) => {
    onFatal(error instanceof Error ? error : new Error('a value that is not an Error was thrown'));
    process.exit(1);
  });
}

/** Ends a process whose work has failed, although a connection that never came about is still open. */
export function endSoon(): void {
  setTimeout(() => process.exit(), 1_000).unref();
}
