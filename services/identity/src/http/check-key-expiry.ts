import { faultsError } from '@casewatch/platform';
import { fault } from '../domain/check-user-body.ts';

/** @throws ApiError validation_failed where a new key would have ended before it began */
export function checkKeyExpiry(expiresAt: Date | null, now: Date): void {
  if (expiresAt === null || expiresAt > now) return;
  throw faultsError([fault('expires_at', 'not_in_future', 'must be in the future')]);
}
