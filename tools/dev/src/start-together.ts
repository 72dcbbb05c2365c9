import type { Supervised } from './supervise.ts';

/** Starts programs in parallel; `stack` stops them, also if one of them fails to start. */
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
