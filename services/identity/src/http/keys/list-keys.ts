import { toPartnerTime } from '@casewatch/contracts';
import { type Handler, readPage } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { presentKey } from '../../present/key.ts';

/** GET /v1/client/keys: newest first, with keys that ended. */
export function listKeys(ctx: Context): Handler<'list_keys'> {
  return async ({ caller, query: { limit, cursor } }) => {
    const { rows, page } = await readPage({
      cursors: ctx.cursors,
      scope: { operation: 'list_keys', caller, filters: {}, sort: '-created_at' },
      cursor,
      limit,
      read: (after, limit) => ctx.stores.apiKeys.page({ partnerId: caller.partner_id, after, limit }),
      positionOf: (key) => [key.created_at.getTime(), key._id],
    });
    return { body: { keys: rows.map((key) => presentKey(key, toPartnerTime)), ...page } };
  };
}
