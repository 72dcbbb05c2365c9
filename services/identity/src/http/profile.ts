import { type FetchLogoReply, maxTotal, toPartnerTime } from '@casewatch/contracts';
import { ApiError, type Handler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { changeLogo } from '../changes/change-logo.ts';
import { findLiveChecksPerDay } from '../clients/monitor.ts';
import { fetchLogo } from '../clients/webhooks.ts';
import type { Context } from '../context.ts';
import { takeLimits } from '../limits/take-limits.ts';
import { presentClient, type Usage } from '../present/client.ts';
import { tellOwners } from '../staff/notices.ts';

/** GET /v1/client/profile */
export function getProfile(ctx: Context): Handler<'get_profile'> {
  return async ({ caller }) => {
    const { partner_id: id } = caller;
    const [partner, usage] = await Promise.all([ctx.stores.partners.find(id), usageOfPartner(ctx, id)]);
    // Partners are never deleted.
    if (!partner) throw new ApiError('internal_error', { detail: `there is no partner ${id}` });
    return { body: { client: presentClient({ at: ctx, partner, caller, usage }, toPartnerTime) } };
  };
}

/**
 * PUT /v1/client/logo. A logo that cannot be fetched is no error: the address is stored, and `logo_fault` says why. The owners are
 * told, as of every setting (firm.md §7), if the address or the picture is another one: the firm's clients trust what they see.
 */
export function updateLogo(ctx: Context): Handler<'update_logo'> {
  return async ({ caller, body }) => {
    const { partner_id: id } = caller;
    // Before the change, so that a 503 has changed nothing.
    const usage = await usageOfPartner(ctx, id);
    const logo = body.logo_url === null ? null : await takeLogo(ctx, id, body.logo_url);
    const delivery = await ctx.stores.staffNotices.mails.newDelivery();
    const { partner, isChanged } = await transaction(ctx.db, async (tx) => {
      const before = await ctx.stores.partners.find(id, tx);
      const partner = await changeLogo(ctx, tx, { partnerId: id, logo_url: body.logo_url, logo });
      const isChanged =
        before?.logo_url !== partner.logo_url || (before.logo_name ?? null) !== partner.logo_name;
      const news = { kind: 'settings_changed', settings: ['logo_url'] } as const;
      if (isChanged) await tellOwners(ctx, tx, { partnerId: id, news, delivery });
      return { partner, isChanged };
    });
    if (isChanged) ctx.signals.emit('staffNotices');
    const message = body.logo_url === null ? 'Logo removed.' : 'Logo updated.';
    return { body: { success: true, message, client: presentClient({ at: ctx, partner, caller, usage }) } };
  };
}

const hourMs = 60 * 60_000;
const logosOfHour = { max: 20, windowMs: hourMs };

/** @throws ApiError rate_limited: each logo is a request to a server that the partner chooses */
export async function takeLogo(ctx: Context, partnerId: number, url: string): Promise<FetchLogoReply> {
  const use = { name: 'logo-hour', subject: String(partnerId), limit: logosOfHour };
  await takeLimits(ctx, [use], 'The logo was set too often. Try again later.');
  return await fetchLogo(ctx, url);
}

/** Limits of every partner (interface.md §1, §4). */
const partnerLimits = { requests_per_minute: 600, webhooks: 20, active_cases_per_user: 50 };

/** Counts as lists are counted: what a partner has does not make it slow. @throws ApiError service_unavailable if cases does not answer */
export async function usageOfPartner(ctx: Context, partnerId: number): Promise<Usage> {
  const [users, { cases }, liveChecks] = await Promise.all([
    ctx.stores.users.countOfPartner(partnerId, maxTotal + 1),
    ctx.bus.request('cases.count', { partner_id: partnerId }),
    findLiveChecksPerDay(ctx, partnerId),
  ]);
  const limits = { ...partnerLimits, live_checks_per_day: liveChecks };
  return {
    user_count: Math.min(users, maxTotal),
    user_count_is_exact: users <= maxTotal,
    case_count: Math.min(cases, maxTotal),
    case_count_is_exact: cases <= maxTotal,
    limits,
  };
}
