import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** How often a replica reads the keys, ms; a new key is published for longer than that before it signs. */
const refreshMs = 5_000;

/** Reads the signing keys that other replicas or the operator made. */
export function refreshSigningKeys({ log, signingKeys }: Context): Running {
  return every(
    refreshMs,
    async () => void (await signingKeys.refresh()),
    (error) => log.warn({ err: error }, 'signing keys not looked at'),
  );
}
