import { toPartnerTime } from '@casewatch/contracts';
import { ApiError, type Handler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { changePartner } from '../changes/change-partner.ts';
import { findLiveChecksPerDay } from '../clients/monitor.ts';
import type { Context } from '../context.ts';
import { presentClient, type Usage } from '../present/client.ts';

/** GET /v1/client/profile */
export function getProfile(ctx: Context): Handler<'get_profile'> {
  return async ({ caller }) => {
    const { partner_id: id } = caller;
    const [partner, usage] = await Promise.all([ctx.stores.partners.find(id), usageOfPartner(ctx, id)]);
    // Partners are never deleted.
    if (!partner) throw new ApiError('internal_error', { detail: `there is no partner ${id}` });
    return { body: { client: presentClient({ partner, caller, usage }, toPartnerTime) } };
  };
}

/** PUT /v1/client/logo. The address is stored; no service fetches it. */
export function updateLogo(ctx: Context): Handler<'update_logo'> {
  return async ({ caller, body }) => {
    // Before the change, so that a 503 has changed nothing.
    const usage = await usageOfPartner(ctx, caller.partner_id);
    const change = { partnerId: caller.partner_id, set: { logo_url: body.logo_url } };
    const partner = await transaction(ctx.db, (tx) => changePartner(ctx, tx, change));
    const message = body.logo_url === null ? 'Logo removed.' : 'Logo updated.';
    return { body: { success: true, message, client: presentClient({ partner, caller, usage }) } };
  };
}

/** Limits of every partner (interface.md §1, §4). */
const partnerLimits = { requests_per_minute: 600, webhooks: 20, active_cases_per_user: 50 };

/** @throws ApiError service_unavailable if cases does not answer */
async function usageOfPartner(ctx: Context, partnerId: number): Promise<Usage> {
  const [users, { cases }, liveChecks] = await Promise.all([
    ctx.stores.users.countOfPartner(partnerId),
    ctx.bus.request('cases.count', { partner_id: partnerId }),
    findLiveChecksPerDay(ctx, partnerId),
  ]);
  const limits = { ...partnerLimits, live_checks_per_day: liveChecks };
  return { user_count: users, case_count: cases, limits };
}
