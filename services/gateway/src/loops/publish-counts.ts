import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** How often a gateway publishes what it let in, ms (interface.md §1, Limits). */
const publishEveryMs = 250;

/** Tells the other gateways what this one let in. */
export function publishCounts({ limits, log }: Context): Running {
  return every(
    publishEveryMs,
    async () => limits.publish(),
    (error) => log.error({ err: error }, 'counts not published'),
  );
}
