import { idText, toIso } from '@casewatch/contracts';
import { integerSetting, transaction } from '@casewatch/platform';
import { z } from 'zod';
import { replaceKey, revokeKey } from '../changes/change-keys.ts';
import { newKey } from '../credentials/new-key.ts';
import { type ApiKey, isLiveKey } from '../domain/api-key.ts';
import type { AdminContext } from './admin-context.ts';
import { command, RefusedError } from './command.ts';
import { keyPairLines } from './lines-of-pair.ts';

const daySeconds = 24 * 60 * 60;

/** Replaces a key pair by a new one that may do the same; both hold for the overlap. */
export const keyRotate = command({
  words: 'key rotate',
  form: '--key 1 [--overlap-seconds 86400]',
  options: z.strictObject({
    key: idText,
    'overlap-seconds': integerSetting(0, 30 * daySeconds).default(daySeconds),
  }),
  async run(ctx, options) {
    const old = await findKey(ctx, options.key);
    if (!isLiveKey(old, ctx.clock.now()))
      throw new RefusedError(`Key ${old._id} has ended; create a new one.`);
    const { row: successor, pair } = await newKey(ctx, {
      partnerId: old.partner_id,
      name: old.name,
      scopes: old.scopes,
      allowedIps: old.allowed_ips,
    });
    const change = { old, successor, overlapSeconds: options['overlap-seconds'] };
    const replaced = await transaction(ctx.db, (tx) => replaceKey(ctx, tx, change));
    const end = toIso(replaced.expires_at);
    return {
      json: {
        key: { id: successor._id, partner_id: old.partner_id, name: successor.name, ...pair },
        replaced_key: { id: old._id, expires_at: end },
      },
      lines: keyPairLines(`Key ${successor._id} replaces key ${old._id}, which ends ${end}.`, pair),
    };
  },
});

/** Revokes a key for good, a partner's last one too; revoking it again changes nothing. */
export const keyRevoke = command({
  words: 'key revoke',
  form: '--key 1',
  options: z.strictObject({ key: idText }),
  async run(ctx, options) {
    const change = { key: await findKey(ctx, options.key), keepOne: false };
    const key = await transaction(ctx.db, (tx) => revokeKey(ctx, tx, change));
    return {
      json: { key: { id: key._id, partner_id: key.partner_id, revoked_at: toIso(key.revoked_at) } },
      lines: [`Key ${key._id} of partner ${key.partner_id} is revoked.`],
    };
  },
});

/** @throws RefusedError where there is no such key */
async function findKey(ctx: AdminContext, id: number): Promise<ApiKey> {
  const key = await ctx.stores.apiKeys.find(id);
  if (!key) throw new RefusedError(`There is no key ${id}.`);
  return key;
}
