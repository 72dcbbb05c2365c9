import type { Context } from '../context.ts';
import { checkAges } from '../domain/check-ages.ts';
import { scheduleClasses } from '../domain/schedule-class.ts';

/** Counts the watched receipts for all replicas. */
export async function takeCensus({ stores: { census }, clock }: Context): Promise<void> {
  const counts = await census.count();
  const watched = scheduleClasses.reduce((sum, name) => sum + counts[name], 0);
  const checks = await census.lastChecks(watched);
  const worst = [];
  for (const name of scheduleClasses) worst.push(...(await census.longestDue(name)));
  const taken_at = clock.now();
  await census.write({
    taken_at,
    counts,
    ages: checkAges(checks, worst, taken_at),
    overdue: await census.countOverdue(),
  });
}
