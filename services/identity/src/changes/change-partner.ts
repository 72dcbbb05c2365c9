import { ApiError, type Session } from '@casewatch/platform';
import type { WriteContext } from '../context.ts';
import type { Partner } from '../store/partners.ts';

/** Writes a partner's logo with its event, in the caller's transaction. */
export async function changeLogo(
  ctx: WriteContext,
  tx: Session,
  { partnerId, logoUrl }: { partnerId: number; logoUrl: string | null },
): Promise<Partner> {
  return await changePartner(ctx, tx, { partnerId, set: { logo_url: logoUrl } });
}

/** Suspends a partner, whose keys are then refused everywhere, or lifts that; with its event, in the caller's transaction. */
export async function changePartnerStatus(
  ctx: WriteContext,
  tx: Session,
  { partnerId, status }: { partnerId: number; status: Partner['status'] },
): Promise<Partner> {
  const row = await changePartner(ctx, tx, { partnerId, set: { status } });
  await ctx.stores.revocations.add(tx, { kind: 'partner', id: partnerId });
  return row;
}

type Change = { partnerId: number; set: Partial<Pick<Partner, 'logo_url' | 'status'>> };

async function changePartner(ctx: WriteContext, tx: Session, change: Change): Promise<Partner> {
  const { partnerId, set } = change;
  const row = await ctx.stores.partners.change(partnerId, set, ctx.clock.now(), tx);
  if (!row) throw new ApiError('internal_error', { detail: `there is no partner ${partnerId}` });
  const data = { partner_id: row._id, status: row.status, version: row.version };
  await ctx.outbox.add(tx, 'partner.updated', `partner/${row._id}`, data);
  return row;
}
