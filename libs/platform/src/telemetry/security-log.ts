import type { ErrorCode, OperationName, Principal } from '@casewatch/contracts';
import { z } from 'zod';
import type { Logger } from './logger.ts';

/** Ids of a caller in logs. `address_hash` is a keyed hash of an e-mail address. */
export const callerIds = z.object({
  partner_id: z.number().optional(),
  key_id: z.string().optional(),
  user_id: z.number().optional(),
  session_id: z.string().optional(),
  address_hash: z.string().optional(),
});

export type CallerIds = z.infer<typeof callerIds>;

/** `access`: a refused or limited request. The others are actions of a caller. */
export type SecurityEvent =
  | 'access'
  | 'sign_in'
  | 'session_refreshed'
  | 'session_ended'
  | 'console_link_created'
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
  /** The changed key; `key_id` is the key of the caller. */
  target_key_id?: number;
};

/** Writes a log line for investigations and alerts (OWASP ASVS 5, 16.3). */
export function logSecurity(log: Logger, record: SecurityRecord): void {
  log.info(record, 'security');
}

export function idsOf(principal: Principal | undefined): CallerIds {
  if (principal?.kind === 'partner') {
    const { partner_id, key_id, console } = principal;
    return { partner_id, key_id, ...(console && { session_id: console.session_id }) };
  }
  if (principal?.kind !== 'user') return {};
  const { user_id, session_id, partner_id } = principal;
  return { user_id, session_id, ...(partner_id !== null && { partner_id }) };
}
