import { type RequestData, toIso } from '@casewatch/contracts';
import { ApiError, type RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { isWellFormedKey } from '../credentials/api-key.ts';
import { isDemoKey } from '../credentials/demo-keys.ts';
import { findMatchingPepper, type Pepper } from '../credentials/macs.ts';
import { isAddressIn } from '../credentials/networks.ts';
import { type ApiKey, isLiveKey } from '../domain/api-key.ts';

/** `last_used_at` is written at most this often, ms. */
const noteUseEveryMs = 60_000;

/**
 * Whether a partner's key pair is good, from this address, now, and until when at most.
 * @throws ApiError invalid_api_key, api_key_revoked, api_key_expired, partner_suspended, ip_not_allowed
 */
export function answerAuthenticate(ctx: Context): RequestHandler<'identity.authenticate'> {
  return async (data) => {
    const now = ctx.clock.now();
    const { key, pepper } = await loadKey(ctx, data);
    if (pepper.id !== ctx.macs.id || key.pepper_id === undefined)
      rehashWithCurrentPepper(ctx, key, data.secret_sha256);
    const who = { partner_id: key.partner_id, key_id: String(key._id) };
    if (key.revoked_at !== null) throw new ApiError('api_key_revoked', { who });
    if (!isLiveKey(key, now)) throw new ApiError('api_key_expired', { who });
    const partner = await ctx.stores.partners.find(key.partner_id);
    if (partner?.status !== 'active') throw new ApiError('partner_suspended', { who });
    if (key.allowed_ips.length > 0 && !isAddressIn(data.address, key.allowed_ips))
      throw new ApiError('ip_not_allowed', { who });
    recordUse(ctx, key, now);
    return {
      principal: {
        kind: 'partner',
        partner_id: partner._id,
        key_id: String(key._id),
        scopes: key.scopes,
      },
      good_until: toIso(key.expires_at),
    };
  };
}

/** The key, and with which pepper's hash its secret was recognised. */
type ProvenKey = { key: ApiKey; pepper: Pepper };

async function loadKey(ctx: Context, data: RequestData<'identity.authenticate'>): Promise<ProvenKey> {
  if (!isWellFormedKey(data.api_key)) throw new ApiError('invalid_api_key');
  if (ctx.config.NODE_ENV === 'production' && isDemoKey(data.api_key)) {
    throw new ApiError('invalid_api_key', { detail: 'demo key in production' });
  }
  const key = await ctx.stores.apiKeys.findByKey(data.api_key);
  const hashWith = (pepper: Pepper) => pepper.hashSecret(data.secret_sha256);
  const pepper = findMatchingPepper(ctx.macs, key?.secret_hmac ?? '', hashWith);
  if (!key || !pepper) throw new ApiError('invalid_api_key');
  return { key, pepper };
}

/**
 * Stores the hash that the current pepper makes of a secret that was just shown, so that a former pepper can be dropped. Off
 * the answer's path: what is lost is done at the next use.
 */
function rehashWithCurrentPepper(ctx: Context, key: ApiKey, secretSha256: string): void {
  const change = { secret_hmac: ctx.macs.hashSecret(secretSha256), pepper_id: ctx.macs.id };
  ctx.stores.apiKeys.rehash(key, change).catch((error: unknown) => {
    ctx.log.warn({ key_id: key._id, err: error }, 'key not carried over to the current pepper');
  });
}

/** Off the answer's path: nobody waits for it, and its loss does no harm. */
function recordUse(ctx: Context, key: ApiKey, now: Date): void {
  const before = new Date(now.getTime() - noteUseEveryMs);
  if (key.last_used_at !== null && key.last_used_at >= before) return;
  ctx.stores.apiKeys.recordUse(key._id, now, before).catch((error: unknown) => {
    ctx.log.warn({ key_id: key._id, err: error }, 'last use of a key not noted');
  });
}
