import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** Interval, ms. */
const checkEveryMs = 250;

/** Asks identity before a request would have to wait for the answer. */
export function refreshRevocations({ revocations, log }: Context): Running {
  return every(
    checkEveryMs,
    async () => revocations.refresh(),
    (error) => log.error({ err: error }, 'revocations not refreshed'),
  );
}
