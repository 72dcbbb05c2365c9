import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** Shorter than `minLeadSeconds`, ms: a replica knows each key before it signs. */
const refreshMs = 5_000;

export function refreshSigningKeys({ log, signingKeys }: Context): Running {
  return every(
    refreshMs,
    async () => void (await signingKeys.refresh()),
    (error) => log.warn({ err: error }, 'signing keys not refreshed'),
  );
}
