import { idText, toIso } from '@casewatch/contracts';
import { z } from 'zod';
import { type ApiKey, isLiveKey } from '../domain/api-key.ts';
import { command, RefusedError } from './command.ts';

/** A partner's keys; of their secrets nothing is known here. */
export const keyList = command({
  words: 'key list',
  form: '--partner 1',
  options: z.strictObject({ partner: idText }),
  async run(ctx, { partner }) {
    if (!(await ctx.stores.partners.find(partner))) throw new RefusedError(`There is no partner ${partner}.`);
    const keys = await ctx.stores.apiKeys.listOfPartner(partner);
    const now = ctx.clock.now();
    const rows = keys.map((key) => ({
      id: key._id,
      name: key.name,
      api_key: key.api_key,
      scopes: key.scopes,
      allowed_ips: key.allowed_ips,
      created_at: toIso(key.created_at),
      last_used_at: toIso(key.last_used_at),
      expires_at: toIso(key.expires_at),
      revoked_at: toIso(key.revoked_at),
      replaced_by: key.replaced_by,
    }));
    const lines = keys.map((key) => `${key._id}\t${stateOf(key, now)}\t${key.name}\t${key.api_key}`);
    return { json: { keys: rows }, lines: lines.length > 0 ? lines : ['This partner has no keys.'] };
  },
});

function stateOf(key: ApiKey, now: Date): string {
  if (key.revoked_at !== null) return 'revoked';
  if (!isLiveKey(key, now)) return 'expired';
  return key.expires_at === null ? 'live' : `live until ${toIso(key.expires_at)}`;
}
