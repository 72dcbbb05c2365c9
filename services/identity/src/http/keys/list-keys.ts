import type { Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { partnerCaller } from '../users/load-user.ts';
import { presentKeyRead } from '../../present/key.ts';

/** GET /v1/client/keys: newest first, with those that ended. */
export function listKeys(ctx: Context): Handler<'list_keys'> {
  return async ({ principal, query: { limit, cursor } }) => {
    const { partner_id: partnerId } = partnerCaller(principal);
    const scope = {
      operation: 'list_keys',
      caller: `partner:${partnerId}`,
      filters: {},
      sort: '-created_at',
    };
    const after = cursor === undefined ? null : positionOf(ctx.cursors.decode(scope, cursor));
    const rows = await ctx.stores.apiKeys.page({ partnerId, after, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      body: {
        keys: shown.map(presentKeyRead),
        has_more: last !== undefined,
        next_cursor: last ? ctx.cursors.encode(scope, [last.created_at.getTime(), last._id]) : null,
      },
    };
  };
}

function positionOf([createdAt, id]: [unknown, number]): { createdAt: Date; id: number } {
  return { createdAt: new Date(Number(createdAt)), id };
}
