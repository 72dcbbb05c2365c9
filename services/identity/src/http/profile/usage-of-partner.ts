import { countCases } from '../../clients/cases.ts';
import { findLiveChecksPerDay } from '../../clients/monitor.ts';
import type { Context } from '../../context.ts';
import { partnerLimits } from '../../domain/partner-limits.ts';
import type { Usage } from '../../present/client.ts';

/**
 * How much a partner has, and may use at most.
 * @throws ApiError service_unavailable where cases does not answer: no number is better than a wrong one
 */
export async function usageOfPartner(ctx: Context, partnerId: number): Promise<Usage> {
  const [users, cases, liveChecks] = await Promise.all([
    ctx.stores.users.countOfPartner(partnerId),
    countCases(ctx.bus, partnerId),
    findLiveChecksPerDay(ctx, partnerId),
  ]);
  const limits = { ...partnerLimits, live_checks_per_day: liveChecks };
  return { user_count: users, case_count: cases, limits };
}
