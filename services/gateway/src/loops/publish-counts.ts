import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** Interval, ms (interface.md §1, Limits). */
const publishEveryMs = 250;
/** The same while no other gateway is known: the first message of one is answered immediately. Gateways forget one after a second. */
const aloneMs = 500;

export function publishCounts({ limits, log }: Context): Running {
  return every(
    () => (limits.isAlone() ? aloneMs : publishEveryMs),
    async () => limits.publish(),
    (error) => log.error({ err: error }, 'rate-limit counts not published'),
  );
}
