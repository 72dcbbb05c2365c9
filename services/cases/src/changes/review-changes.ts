import { type PartnerPrincipal, type Reviewer, toIso } from '@casewatch/contracts';
import { ApiError, acted, type Handler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';

/**
 * POST /v1/client/changes/review. A review is the firm's: the first one stays, also of two at the same time. All or nothing:
 * an id that is not the firm's changes nothing.
 */
export function reviewChanges(ctx: Context): Handler<'review_changes'> {
  return async ({ caller, body }) => {
    const { partner_id } = caller;
    const ids = [...new Set(body.ids)];
    const by = reviewerOf(caller);
    const { statusUpdates } = ctx.stores;
    const rows = await transaction(ctx.db, async (session) => {
      const found = await statusUpdates.changesAmong(session, partner_id, ids);
      if (found.length < ids.length) throw notFound(ids, new Set(found.map(({ _id }) => _id)));
      const changed = found.filter(({ change }) => change?.reviewed !== body.reviewed);
      for (const { _id } of changed) acted('change', _id);
      await statusUpdates.setReviewed(session, ids, body.reviewed ? { at: ctx.clock.now(), by } : null);
      return await statusUpdates.changesAmong(session, partner_id, ids);
    });
    const rowOf = new Map(rows.map((row) => [row._id, row.change]));
    const changes = ids.map((id) => {
      const { reviewed_at = null, reviewed_by = null } = rowOf.get(id) ?? {};
      return { id, reviewed_at: toIso(reviewed_at), reviewed_by };
    });
    const message = body.reviewed ? 'Changes reviewed.' : 'Changes are no longer reviewed.';
    return { body: { success: true, message, changes } };
  };
}

/** Who reviews: a member of staff, or a key. */
export function reviewerOf({ staff_id, key_id }: PartnerPrincipal): Reviewer {
  return staff_id === undefined ? { kind: 'key', id: Number(key_id) } : { kind: 'staff', id: staff_id };
}

function notFound(ids: readonly number[], found: ReadonlySet<number>): ApiError {
  const missing = ids.filter((id) => !found.has(id)).join(', ');
  return new ApiError('change_not_found', {
    message: `You have no change with the id ${missing}. Nothing was marked.`,
  });
}
