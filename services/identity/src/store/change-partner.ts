import { ApiError, type Session } from '@casewatch/platform';
import type { WriteContext } from '../context.ts';
import type { Partner } from './partners.ts';

/** Writes a partner's logo with its event, in the caller's transaction. */
export async function changeLogo(
  ctx: WriteContext,
  session: Session,
  { partnerId, logoUrl }: { partnerId: number; logoUrl: string | null },
): Promise<Partner> {
  const row = await ctx.stores.partners.setLogo(partnerId, logoUrl, ctx.clock.now(), session);
  if (!row) throw new ApiError('internal_error', { detail: `there is no partner ${partnerId}` });
  const data = { partner_id: row._id, status: row.status, version: row.version };
  await ctx.outbox.add(session, 'partner.updated', `partner/${row._id}`, data);
  return row;
}
