import { ApiError, type Session } from '@casewatch/platform';
import type { WriteContext } from '../context.ts';
import type { Partner } from '../store/partners.ts';

type Change = { partnerId: number; set: Partial<Pick<Partner, 'logo_url' | 'status'>> };

/** Writes a partner's logo or status with its event, in the caller's transaction. A new status revokes cached credentials. */
export async function changePartner(
  ctx: WriteContext,
  tx: Session,
  { partnerId, set }: Change,
): Promise<Partner> {
  const row = await ctx.stores.partners.change(partnerId, set, ctx.clock.now(), tx);
  if (!row) throw new ApiError('internal_error', { detail: `there is no partner ${partnerId}` });
  const data = { partner_id: row._id, status: row.status, version: row.version };
  await ctx.outbox.add(tx, 'partner.updated', `partner/${row._id}`, data);
  if (set.status) await ctx.stores.revocations.add(tx, { kind: 'partner', id: partnerId });
  return row;
}
