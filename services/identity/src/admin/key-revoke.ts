import { idText, toIso } from '@casewatch/contracts';
import { z } from 'zod';
import { command, RefusedError } from './command.ts';

/** Revokes a key for good; revoking it again changes nothing. */
export const keyRevoke = command({
  words: 'key revoke',
  form: '--key 1',
  options: z.strictObject({ key: idText }),
  async run(ctx, options) {
    const key = await ctx.stores.apiKeys.revoke(options.key, ctx.clock.now());
    if (!key) throw new RefusedError(`There is no key ${options.key}.`);
    return {
      json: { key: { id: key._id, partner_id: key.partner_id, revoked_at: toIso(key.revoked_at) } },
      lines: [`Key ${key._id} of partner ${key.partner_id} is revoked.`],
    };
  },
});
