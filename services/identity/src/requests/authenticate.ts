import { type RequestData, toIso } from '@casewatch/contracts';
import { ApiError, type RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { isWellFormedKey } from '../credentials/api-key.ts';
import { isDemoKey } from '../credentials/demo-keys.ts';
import { findMatchingPepper, type Pepper } from '../credentials/macs.ts';
import { isAddressIn } from '../credentials/networks.ts';
import { type ApiKey, isLiveKey } from '../domain/api-key.ts';

/** Shortest time between two writes of `last_used_at`, ms. */
const recordUseEveryMs = 60_000;

/** @throws ApiError invalid_api_key, api_key_revoked, api_key_expired, partner_suspended, ip_not_allowed */
export function answerAuthenticate(ctx: Context): RequestHandler<'identity.authenticate'> {
  return async (data) => {
    const now = ctx.clock.now();
    const { key, pepper } = await loadKey(ctx, data);
    if (pepper.id !== ctx.macs.id) rehashWithCurrentPepper(ctx, key, data.secret_sha256);
    const callerIds = { partner_id: key.partner_id, key_id: String(key._id) };
    if (key.revoked_at !== null) throw new ApiError('api_key_revoked', { callerIds });
    if (!isLiveKey(key, now)) throw new ApiError('api_key_expired', { callerIds });
    const partner = await ctx.stores.partners.find(key.partner_id);
    if (partner?.status !== 'active') throw new ApiError('partner_suspended', { callerIds });
    if (key.allowed_ips.length > 0 && !isAddressIn(data.address, key.allowed_ips)) {
      throw new ApiError('ip_not_allowed', { callerIds });
    }
    recordUse(ctx, key, now);
    return {
      principal: { kind: 'partner', ...callerIds, scopes: key.scopes },
      good_until: toIso(key.expires_at),
    };
  };
}

async function loadKey(
  ctx: Context,
  { api_key, secret_sha256 }: RequestData<'identity.authenticate'>,
): Promise<{ key: ApiKey; pepper: Pepper }> {
  if (!isWellFormedKey(api_key)) throw new ApiError('invalid_api_key');
  if (ctx.config.NODE_ENV === 'production' && isDemoKey(api_key)) {
    throw new ApiError('invalid_api_key', { detail: 'demo key in production' });
  }
  const key = await ctx.stores.apiKeys.findByKey(api_key);
  const hashWith = (pepper: Pepper) => pepper.hashSecret(secret_sha256);
  const pepper = findMatchingPepper(ctx.macs, key?.secret_hmac ?? '', hashWith);
  if (!key || !pepper) throw new ApiError('invalid_api_key');
  return { key, pepper };
}

/** Lets an operator remove an old pepper (docs/adr/0013). The answer does not wait for it; the next use retries. */
function rehashWithCurrentPepper(ctx: Context, key: ApiKey, secretSha256: string): void {
  const change = { secret_hmac: ctx.macs.hashSecret(secretSha256), pepper_id: ctx.macs.id };
  ctx.stores.apiKeys.rehash(key, change).catch((error: unknown) => {
    ctx.log.warn({ key_id: key._id, err: error }, 'key not rehashed with the current pepper');
  });
}

function recordUse(ctx: Context, key: ApiKey, now: Date): void {
  const before = new Date(now.getTime() - recordUseEveryMs);
  if (key.last_used_at !== null && key.last_used_at >= before) return;
  ctx.stores.apiKeys.recordUse(key._id, now, before).catch((error: unknown) => {
    ctx.log.warn({ key_id: key._id, err: error }, 'last use of a key not stored');
  });
}
