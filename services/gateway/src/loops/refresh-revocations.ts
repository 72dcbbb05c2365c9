import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** How often the age of the last announcement is checked, ms. */
const checkEveryMs = 250;

/** Asks identity for revocations before requests would have to wait for the answer. */
export function refreshRevocations({ revocations, log }: Context): Running {
  return every(
    checkEveryMs,
    async () => revocations.refresh(),
    (error) => log.error({ err: error }, 'revocations not refreshed'),
  );
}
