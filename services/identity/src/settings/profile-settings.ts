import { isDeepStrictEqual } from 'node:util';
import {
  type Alerts,
  type Body,
  type PartnerSetting,
  type ReplyToMailRequest,
  type SecondFactorRule,
  staffRoles,
} from '@casewatch/contracts';
import { ApiError, type Handler, type RequestHandler, type Running } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import { changeLogo } from '../changes/change-logo.ts';
import { changePartner } from '../changes/change-partner.ts';
import type { Context } from '../context.ts';
import { isTokenOf, replyToTokenOf, rowIdOfToken } from '../credentials/link-tokens.ts';
import { takeLogo, usageOfPartner } from '../http/profile.ts';
import { takeRecipientLimit } from '../limits/mail-limits.ts';
import { startMailLoop } from '../loops/mail-loop.ts';
import { presentClient } from '../present/client.ts';
import { mailPartnerOf } from '../present/mail-partner.ts';
import { mergedAlerts, newMemberAlertsOf } from '../staff/alerts.ts';
import { tellOwners } from '../staff/notices.ts';
import { isRequired } from '../staff/second-factor.ts';
import type { Partner } from '../store/partners.ts';
import type { ReplyToRequest } from '../store/reply-to-requests.ts';

// What a firm sets itself (firm.md §7). Every change is told to all owners by mail, in the transaction of the change: somebody who got
// into one account cannot change in silence where the firm's clients write to.

const lifetimeMs = 48 * 60 * 60 * 1_000;

/** PUT /v1/client/profile. A logo that cannot be fetched is no error, as in `update_logo`. */
export function updateProfile(ctx: Context): Handler<'update_profile'> {
  return async ({ caller, body }) => {
    const { partner_id: partnerId } = caller;
    // Before the change, so that a 503 has changed nothing.
    const usage = await usageOfPartner(ctx, partnerId);
    const { logo_url } = body;
    const logo = logo_url == null ? null : await takeLogo(ctx, partnerId, logo_url);
    const replyTo = await newReplyTo(ctx, partnerId, body.reply_to);
    const delivery = await ctx.stores.staffNotices.mails.newDelivery();
    const { partner, changed } = await transaction(ctx.db, async (tx) => {
      const before = await loadPartner(ctx, partnerId, tx);
      const settings = wholeSettings(body, before);
      const changed = changedSettings(before, settings);
      if (changed.length === 0) return { partner: before, changed };
      if (changed.includes('reply_to')) await askReplyTo(ctx, tx, { before, request: replyTo });
      if (logo_url !== undefined && changed.includes('logo_url'))
        await changeLogo(ctx, tx, { partnerId, logo_url, logo });
      if (changed.includes('calendar_addresses') && body.calendar_addresses === false)
        await ctx.stores.calendarAddresses.removeAllOf(partnerId, tx);
      await tellOwners(ctx, tx, {
        partnerId,
        news: { kind: 'settings_changed', settings: changed },
        delivery,
      });
      if (changed.includes('second_factor')) await endUnproven(ctx, tx, before, body.second_factor);
      return {
        partner: await changePartner(ctx, tx, { partnerId, set: fieldsOf(settings, before) }),
        changed,
      };
    });
    if (changed.includes('reply_to')) ctx.signals.emit('replyToMails');
    if (changed.length > 0) ctx.signals.emit('staffNotices');
    const message =
      partner.pending_reply_to != null && changed.includes('reply_to')
        ? 'Settings updated. The reply-to address takes effect when its mailbox has confirmed it.'
        : 'Settings updated.';
    return { body: { success: true, message, client: presentClient({ at: ctx, partner, caller, usage }) } };
  };
}

type Settings = Body<'update_profile'>;
type WholeSettings = Omit<Settings, 'new_member_alerts'> & { new_member_alerts?: Alerts };

/** Of alerts for new members, what is not sent stays as it is. */
function wholeSettings({ new_member_alerts: change, ...others }: Settings, before: Partner): WholeSettings {
  const alerts = change && mergedAlerts(newMemberAlertsOf(before), change);
  return { ...others, ...(alerts && { new_member_alerts: alerts }) };
}

/** A reply-to address that is asked for again is no change, but the same one again after it was confirmed is. */
function changedSettings(before: Partner, body: WholeSettings): PartnerSetting[] {
  const current = {
    ...before,
    calendar_addresses: before.calendar_addresses ?? true,
    names_in_mails: before.names_in_mails ?? true,
    new_member_alerts: newMemberAlertsOf(before),
    reply_to: before.pending_reply_to ?? before.reply_to,
    second_factor: before.second_factor ?? 'none',
  };
  const names = Object.keys(body) as PartnerSetting[];
  return names.filter((name) => body[name] !== undefined && !isDeepStrictEqual(body[name], current[name]));
}

/**
 * Sessions without the second factor that a role needs now are none (`present` of staff/sign-in.ts); gateways ask again within 2 s.
 * Of a role that needs none any more they end, so that what was stolen before does not work again.
 */
async function endUnproven(
  ctx: Context,
  tx: Session,
  { _id: partnerId, second_factor: before }: Partner,
  after: SecondFactorRule | undefined,
): Promise<void> {
  const released = staffRoles.filter((role) => isRequired(before, role) && !isRequired(after, role));
  const ids = await ctx.stores.staff.idsOfRoles(partnerId, released, tx);
  await ctx.stores.staffSessions.endUnproven(ids, ctx.clock.now(), tx);
  await ctx.stores.revocations.add(tx, { kind: 'partner', id: partnerId });
}

/** The address that is asked for is pending; none, and the present one, need no proof. */
function fieldsOf({ logo_url: _, reply_to, ...others }: WholeSettings, before: Partner): Partial<Partner> {
  const set = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  if (reply_to === undefined) return set;
  if (reply_to === null) return { ...set, reply_to: null, pending_reply_to: null };
  return { ...set, pending_reply_to: reply_to === before.reply_to ? null : reply_to };
}

async function newReplyTo(
  ctx: Context,
  partner_id: number,
  email: string | null | undefined,
): Promise<ReplyToRequest | null> {
  if (email == null) return null;
  const now = ctx.clock.now();
  return {
    _id: ctx.newId(),
    partner_id,
    email,
    used_at: null,
    created_at: now,
    expires_at: new Date(now.getTime() + lifetimeMs),
    delivery: await ctx.stores.replyToRequests.mails.newDelivery(),
  };
}

type Asked = { before: Partner; request: ReplyToRequest | null };

/** @throws ApiError rate_limited: the address may belong to anybody */
async function askReplyTo(ctx: Context, tx: Session, { before, request }: Asked): Promise<void> {
  await ctx.stores.replyToRequests.removeAll(before._id, tx);
  if (request === null || request.email === before.reply_to) return;
  const freeAt = await takeRecipientLimit(ctx, request.email.toLowerCase(), tx);
  if (freeAt) {
    const retryAfterS = (freeAt.getTime() - ctx.clock.now().getTime()) / 1_000;
    const message = 'The reply-to address has got too many e-mails; try again after Retry-After seconds.';
    throw new ApiError('rate_limited', { message, retryAfterS });
  }
  await ctx.stores.replyToRequests.insert(request, tx);
}

async function loadPartner({ stores }: Context, id: number, tx: Session | null = null): Promise<Partner> {
  const partner = await stores.partners.find(id, tx);
  if (!partner) throw new ApiError('internal_error', { detail: `there is no partner ${id}` });
  return partner;
}

export function sendReplyToMails(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'reply-to confirmations',
    queue: ctx.stores.replyToRequests.mails,
    compose: (id) => compose(ctx, id),
    signal: 'replyToMails',
  });
}

/** Null if another address was asked for meanwhile. */
async function compose(ctx: Context, id: string): Promise<ReplyToMailRequest | null> {
  const open = await findOpen(ctx, await ctx.stores.replyToRequests.find(id));
  if (!open) return null;
  return {
    kind: 'confirm_reply_to',
    message_id: `reply-to-${id}`,
    to: open.request.email,
    language: 'en',
    expires_at: open.request.expires_at.toISOString(),
    link: `${ctx.config.PUBLIC_URL}/console/reply-to?token=${replyToTokenOf(open.request, ctx.macs)}`,
    partner: await mailPartnerOf(ctx, open.partner._id),
  };
}

/** What the link opens. It changes nothing. */
export function answerReplyTo(ctx: Context): RequestHandler<'identity.reply_to'> {
  return async ({ token }) => {
    const open = await findOpen(ctx, await findByToken(ctx, token));
    return { request: open && { partner_name: open.partner.name, email: open.request.email } };
  };
}

/** @throws ApiError invalid_verification_token */
export function answerConfirmReplyTo(ctx: Context): RequestHandler<'identity.confirm_reply_to'> {
  return async ({ token }) => {
    const delivery = await ctx.stores.staffNotices.mails.newDelivery();
    const partner_name = await transaction(ctx.db, async (tx) => {
      const open = await findOpen(ctx, await findByToken(ctx, token, tx), tx);
      const now = ctx.clock.now();
      if (!open || !(await ctx.stores.replyToRequests.use(open.request._id, now, tx)))
        throw new ApiError('invalid_verification_token');
      const { _id: partnerId } = open.partner;
      const set = { reply_to: open.request.email, pending_reply_to: null };
      await changePartner(ctx, tx, { partnerId, set });
      await tellOwners(ctx, tx, {
        partnerId,
        news: { kind: 'settings_changed', settings: ['reply_to'] },
        delivery,
      });
      return open.partner.name;
    });
    ctx.signals.emit('staffNotices');
    return { partner_name };
  };
}

async function findByToken({ macs, stores }: Context, token: string, tx: Session | null = null) {
  const id = rowIdOfToken(token);
  const request = id === null ? null : await stores.replyToRequests.find(id, tx);
  return request && isTokenOf(replyToTokenOf, request, { token, macs }) ? request : null;
}

/** A request that can be confirmed now: it is the newest of its partner. */
async function findOpen(ctx: Context, request: ReplyToRequest | null, tx: Session | null = null) {
  if (!request || request.used_at !== null || request.expires_at <= ctx.clock.now()) return null;
  const partner = await loadPartner(ctx, request.partner_id, tx);
  return partner.pending_reply_to === request.email ? { request, partner } : null;
}
