import type { PartnerPrincipal } from '@casewatch/contracts';
import { ApiError, faultsError, type Session } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { exceededLimits, type KeyLimits } from '../../credentials/key-limits.ts';
import { type ApiKey, isLiveKey } from '../../domain/api-key.ts';
import { fault } from '../../domain/check-user-body.ts';

/**
 * The key of the caller as it is stored: the principal has neither its networks nor its end.
 * @throws ApiError invalid_api_key, api_key_revoked, api_key_expired: it has ended since the gateway let it in
 */
export async function loadCallingKey(
  ctx: Context,
  caller: PartnerPrincipal,
  tx: Session | null = null,
): Promise<ApiKey> {
  const key = await ctx.stores.apiKeys.find(Number(caller.key_id), tx);
  if (key?.partner_id !== caller.partner_id) throw new ApiError('invalid_api_key');
  if (key.revoked_at !== null) throw new ApiError('api_key_revoked');
  if (!isLiveKey(key, ctx.clock.now())) throw new ApiError('api_key_expired');
  return key;
}

/**
 * A key creates, rotates and revokes only keys that may do no more than itself. Otherwise a key that was limited on purpose
 * could make one that is not, or end the one that limits it.
 * @throws ApiError insufficient_scope
 */
export function assertWithinLimits(calling: ApiKey, key: KeyLimits): void {
  const beyond = exceededLimits(key, calling);
  if (beyond.length === 0) return;
  throw new ApiError('insufficient_scope', {
    message: `An API key cannot create, rotate or revoke a key that may do more than itself. Beyond this key: ${beyond.join(', ')}.`,
  });
}

/** @throws ApiError key_not_found, the same for another partner's as for one that does not exist */
export async function loadKey(ctx: Context, caller: PartnerPrincipal, id: number): Promise<ApiKey> {
  const key = await ctx.stores.apiKeys.find(id);
  if (key?.partner_id !== caller.partner_id) throw new ApiError('key_not_found');
  return key;
}

/** @throws ApiError validation_failed where a new key would have ended before it began */
export function checkKeyExpiry(expiresAt: Date | null, now: Date): void {
  if (expiresAt === null || expiresAt > now) return;
  throw faultsError([fault('expires_at', 'not_in_future', 'must be in the future')]);
}
