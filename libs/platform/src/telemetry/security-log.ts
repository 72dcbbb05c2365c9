import type { ErrorCode, OperationName, Principal } from '@casewatch/contracts';
import { z } from 'zod';
import type { Logger } from './logger.ts';

/** Ids that name a caller in logs. `address_hash` is a keyed hash of an e-mail address. */
export const callerIds = z.object({
  partner_id: z.number().optional(),
  key_id: z.string().optional(),
  user_id: z.number().optional(),
  session_id: z.string().optional(),
  address_hash: z.string().optional(),
});

export type CallerIds = z.infer<typeof callerIds>;

/** `access` is a request that was refused or limited; the others are what a caller did. */
export type SecurityEvent =
  | 'access'
  | 'sign_in'
  | 'session_refreshed'
  | 'session_ended'
  | 'key_created'
  | 'key_rotated'
  | 'key_revoked';

type SecurityRecord = CallerIds & {
  event: SecurityEvent;
  outcome: 'done' | 'refused' | 'limited';
  problem?: ErrorCode;
  operation?: OperationName;
  /** Why a session ended, or which sessions. */
  reason?: string;
  /** The key that was changed; `key_id` is the key that changed it. */
  target_key_id?: number;
};

/**
 * One line for investigators and alerts (OWASP ASVS 5, 16.3): who, what, outcome. The call's context adds the request id
 * and the caller's network.
 */
export function logSecurity(log: Logger, record: SecurityRecord): void {
  log.info(record, 'security');
}

/** The ids of a caller; none for a caller without credentials. */
export function idsOf(principal: Principal | undefined): CallerIds {
  if (principal?.kind === 'partner') return { partner_id: principal.partner_id, key_id: principal.key_id };
  if (principal?.kind !== 'user') return {};
  const { user_id, session_id, partner_id } = principal;
  return { user_id, session_id, ...(partner_id !== null && { partner_id }) };
}
