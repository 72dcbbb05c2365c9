import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** Interval, ms (interface.md §1, Limits). */
const publishEveryMs = 250;

export function publishCounts({ limits, log }: Context): Running {
  return every(
    publishEveryMs,
    async () => limits.publish(),
    (error) => log.error({ err: error }, 'rate-limit counts not published'),
  );
}
