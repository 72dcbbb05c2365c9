import { type PartnerPrincipal, scopes } from '@casewatch/contracts';
import { ApiError, faultsError } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context } from '../../context.ts';
import { exceededLimits, type KeyLimits } from '../../credentials/key-limits.ts';
import { type ApiKey, isLiveKey } from '../../domain/api-key.ts';
import { fault } from '../../domain/check-user-body.ts';

/**
 * What the caller may do, as it is stored now: of a key also its networks and its end, which the principal lacks. A member of staff,
 * who needs the role of an owner for this, has no limits.
 * @throws ApiError invalid_api_key, api_key_revoked, api_key_expired: the key ended since the gateway verified it;
 * insufficient_role: so did the member, or the role
 */
export async function loadCallerLimits(
  ctx: Context,
  caller: PartnerPrincipal,
  tx: Session | null = null,
): Promise<KeyLimits> {
  if (caller.staff_id === undefined) return await loadCallingKey(ctx, caller, tx);
  const member = await ctx.stores.staff.find(caller.staff_id, tx);
  const isOwner = member?.partner_id === caller.partner_id && member.role === 'owner';
  if (!isOwner || member.status !== 'active') throw new ApiError('insufficient_role');
  return { scopes: [...scopes], allowed_ips: [], expires_at: null };
}

async function loadCallingKey(ctx: Context, caller: PartnerPrincipal, tx: Session | null): Promise<ApiKey> {
  const key = await ctx.stores.apiKeys.find(Number(caller.key_id), tx);
  if (key?.partner_id !== caller.partner_id) throw new ApiError('invalid_api_key');
  if (key.revoked_at !== null) throw new ApiError('api_key_revoked');
  if (!isLiveKey(key, ctx.clock.now())) throw new ApiError('api_key_expired');
  return key;
}

/**
 * A key creates, rotates and revokes only keys within its own limits. Otherwise a limited key could create an unlimited one.
 * @throws ApiError insufficient_scope
 */
export function assertWithinLimits(calling: KeyLimits, key: KeyLimits): void {
  const exceeded = exceededLimits(key, calling);
  if (exceeded.length === 0) return;
  throw new ApiError('insufficient_scope', {
    message: `An API key cannot create, rotate or revoke a key with more permissions. These fields exceed the calling key: ${exceeded.join(', ')}.`,
  });
}

/** @throws ApiError key_not_found, also for another partner's key */
export async function loadKey(
  ctx: Context,
  caller: PartnerPrincipal,
  id: number,
  tx: Session | null = null,
): Promise<ApiKey> {
  const key = await ctx.stores.apiKeys.find(id, tx);
  if (key?.partner_id !== caller.partner_id) throw new ApiError('key_not_found');
  return key;
}

/** @throws ApiError validation_failed */
export function checkKeyExpiry(expiresAt: Date | null, now: Date): void {
  if (expiresAt === null || expiresAt > now) return;
  throw faultsError([fault('expires_at', 'not_in_future', 'must be in the future')]);
}
