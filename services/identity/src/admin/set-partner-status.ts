import { transaction } from '@casewatch/platform';
import { changePartnerStatus } from '../changes/change-partner.ts';
import type { Partner } from '../store/partners.ts';
import type { AdminContext } from './admin-context.ts';
import { RefusedError, type Report } from './command.ts';

/** Suspends a partner or lifts that; where it is so already, nothing changes. Their users go on either way. */
export async function setPartnerStatus(
  ctx: AdminContext,
  partnerId: number,
  status: Partner['status'],
): Promise<Report> {
  const partner = await transaction(ctx.db, async (session) => {
    const known = await ctx.stores.partners.find(partnerId, session);
    if (!known) throw new RefusedError(`There is no partner ${partnerId}.`);
    if (known.status === status) return known;
    return await changePartnerStatus(ctx, session, { partnerId, status });
  });
  return {
    json: { partner: { id: partner._id, status: partner.status } },
    lines: [`Partner ${partner._id} is ${partner.status}.`],
  };
}
