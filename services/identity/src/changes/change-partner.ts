import { ApiError, actedFor } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { WriteContext } from '../context.ts';
import type { Partner } from '../store/partners.ts';

type Change = { partnerId: number; set: Partial<Omit<Partner, '_id' | 'version' | 'keys_version'>> };

/** Writes fields of a partner with its event, in the caller's transaction. A new status revokes cached credentials. */
export async function changePartner(
  ctx: WriteContext,
  tx: Session,
  { partnerId, set }: Change,
): Promise<Partner> {
  const row = await ctx.stores.partners.change(partnerId, set, ctx.clock.now(), tx);
  if (!row) throw new ApiError('internal_error', { detail: `there is no partner ${partnerId}` });
  const data = { partner_id: row._id, status: row.status, version: row.version };
  actedFor(row._id);
  await ctx.outbox.add(tx, 'partner.updated', `partner/${row._id}`, data);
  if (set.status) await ctx.stores.revocations.add(tx, { kind: 'partner', id: partnerId });
  return row;
}
