import { idText, toIso } from '@casewatch/contracts';
import { transaction } from '@casewatch/platform';
import { z } from 'zod';
import { revokeKey } from '../changes/change-keys.ts';
import { command, RefusedError } from './command.ts';

/** Revokes a key for good, a partner's last one too; revoking it again changes nothing. */
export const keyRevoke = command({
  words: 'key revoke',
  form: '--key 1',
  options: z.strictObject({ key: idText }),
  async run(ctx, options) {
    const known = await ctx.stores.apiKeys.find(options.key);
    if (!known) throw new RefusedError(`There is no key ${options.key}.`);
    const change = { key: known, keepOne: false };
    const key = await transaction(ctx.db, (session) => revokeKey(ctx, session, change));
    return {
      json: { key: { id: key._id, partner_id: key.partner_id, revoked_at: toIso(key.revoked_at) } },
      lines: [`Key ${key._id} of partner ${key.partner_id} is revoked.`],
    };
  },
});
