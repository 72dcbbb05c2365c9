import type { Supervised } from './supervise.ts';

/**
 * Starts several things at once and has the stack stop them, together, when it is disposed of. When one fails, those
 * that did start are handed to the stack before the failure is thrown.
 */
export async function startTogether(
  stack: AsyncDisposableStack,
  starting: Promise<Supervised>[],
): Promise<void> {
  const results = await Promise.allSettled(starting);
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  stack.defer(async () => {
    await Promise.all(started.map((supervised) => supervised.stop()));
  });
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
