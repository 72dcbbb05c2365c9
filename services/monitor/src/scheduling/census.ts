import { type HeldLease, pause } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { checkAges } from '../domain/check-ages.ts';
import { scheduleClasses } from '../domain/schedule-class.ts';
import type { Census } from '../store/census.ts';

const leastMs = 10_000;
/** A census may take so much of the time, whatever the number of receipts. */
const shareOfTime = 1 / 300;

/** The sender counts the watched receipts from time to time, so that nobody else has to. */
export async function takeCensuses(ctx: Context, { signal }: HeldLease): Promise<void> {
  while (!signal.aborted) {
    const startMs = performance.now();
    try {
      await ctx.stores.census.write(await takeCensus(ctx));
      await ctx.outlook.refresh();
    } catch (error) {
      ctx.log.warn({ err: error }, 'no census');
    }
    await pause(Math.max(leastMs, (performance.now() - startMs) / shareOfTime), signal);
  }
}

async function takeCensus({ stores: { census }, clock }: Context): Promise<Census> {
  const counts = await census.count();
  const watched = scheduleClasses.reduce((sum, name) => sum + counts[name], 0);
  const checks = await census.lastChecks(watched);
  const worst = [];
  for (const name of scheduleClasses) worst.push(...(await census.longestDue(name)));
  const taken_at = clock.now();
  return {
    taken_at,
    counts,
    ages: checkAges(checks, worst, taken_at),
    overdue: await census.countOverdue(),
  };
}
