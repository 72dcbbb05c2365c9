import { idText, toIso } from '@casewatch/contracts';
import { z } from 'zod';
import { command, RefusedError } from './command.ts';

/** A partner's keys; of their secrets nothing is known here. */
export const keyList = command({
  words: 'key list',
  form: '--partner 1',
  options: z.strictObject({ partner: idText }),
  async run(ctx, { partner }) {
    if (!(await ctx.stores.partners.find(partner))) throw new RefusedError(`There is no partner ${partner}.`);
    const keys = await ctx.stores.apiKeys.ofPartner(partner);
    const rows = keys.map((key) => ({
      id: key._id,
      name: key.name,
      api_key: key.api_key,
      created_at: toIso(key.created_at),
      last_used_at: toIso(key.last_used_at),
      expires_at: toIso(key.expires_at),
      revoked_at: toIso(key.revoked_at),
    }));
    const lines = rows.map(
      (row) => `${row.id}\t${row.revoked_at ? 'revoked' : 'live'}\t${row.name}\t${row.api_key}`,
    );
    return { json: { keys: rows }, lines: lines.length > 0 ? lines : ['This partner has no keys.'] };
  },
});
