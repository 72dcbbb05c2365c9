import type { Client } from '@casewatch/contracts';
import type { Context } from '../../context.ts';
import { partnerLimits } from '../../domain/partner-limits.ts';

/** What a partner may use at most; its live checks are the monitor's number, and a profile is not held up for it. */
export async function limitsOfPartner(ctx: Context, partnerId: number): Promise<Client['limits']> {
  const share = await ctx.bus.request('monitor.share', { partner_id: partnerId }).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'a partner’s live checks are not known');
    return null;
  });
  return { ...partnerLimits, live_checks_per_day: share?.live_checks_per_day ?? null };
}
