import type { Body, Language, StaffMailRequest, StaffRole } from '@casewatch/contracts';
import {
  type Answer,
  ApiError,
  type Handler,
  logSecurity,
  type RequestHandler,
  type Running,
} from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import { recordStaffAct } from '../audit/audit.ts';
import { assertStays } from '../changes/change-user.ts';
import type { Context, WriteContext } from '../context.ts';
import { invitationTokenOf, isTokenOf, rowIdOfToken } from '../credentials/link-tokens.ts';
import { toEmailLower } from '../domain/user.ts';
import { takeRecipientLimit } from '../limits/mail-limits.ts';
import { tryLimits } from '../limits/take-limits.ts';
import { startMailLoop } from '../loops/mail-loop.ts';
import { mailPartnerOf } from '../present/mail-partner.ts';
import { isStaffAddressTaken, type StaffMember } from '../store/staff.ts';
import type { StaffInvitation } from '../store/staff-invitations.ts';
import { announceMember, assertMayManage, logOf, personKeyOf, saveMember } from './members.ts';
import { presentStaff } from './present.ts';
import { beginStep, stepOf } from './second-factor.ts';
import { keepPlace } from './sign-in-notice.ts';
import { activePartnerOf, logSignIn, openSession, present as presentSession } from './sign-in.ts';

// An invitation from the request to its acceptance. Its link is for one address and one partner, works once and for seven days,
// and ends when the member is changed, removed or invited again (firm.md §1).

const dayMs = 24 * 60 * 60 * 1_000;
const lifetimeMs = 7 * dayMs;
const invitationsPerDay = { max: 50, windowMs: dayMs };

/** POST /v1/client/staff */
export function inviteStaffMember(ctx: Context): Handler<'invite_staff_member'> {
  return async ({ caller, body, remember }) => {
    const { partner_id } = caller;
    const gift = { caller, role: body.role };
    await assertMayManage(ctx, null, gift);
    await findInvited(ctx, null, { body, partner_id });
    await takeInvitationOfDay(ctx, partner_id);
    const newId = await ctx.ids.next('staff');
    const member = await mapAddressTaken(
      transaction(ctx.db, async (tx) => {
        await assertMayManage(ctx, tx, gift);
        const member = await writeMember(ctx, tx, { body, newId, partner_id });
        await takeMailLimit(ctx, tx, member);
        await queueInvitation(ctx, tx, member);
        await remember(tx, answerOf(ctx, member), personKeyOf(member));
        return member;
      }),
    );
    ctx.signals.emit('invitations');
    logOf(ctx, 'staff_invited', { caller, id: member._id });
    return answerOf(ctx, member);
  };
}

function answerOf(ctx: Context, member: StaffMember): Answer<'invite_staff_member'> {
  return {
    headers: { location: `/v1/client/staff/${member._id}` },
    body: {
      success: true,
      message: 'We have sent the invitation. Its link works once, for 7 days.',
      staff_member: presentStaff(ctx, member),
    },
  };
}

type Invited = { body: Body<'invite_staff_member'>; partner_id: number };

/** Who is to be invited again; null: a new member. @throws ApiError staff_already_exists */
async function findInvited(ctx: Context, tx: Session | null, { body, partner_id }: Invited) {
  const existing = await ctx.stores.staff.findByEmail(partner_id, toEmailLower(body.email), tx);
  const isTaken = existing !== null && !(body.resend && existing.status === 'invited');
  if (isTaken) throw new ApiError('staff_already_exists');
  return existing;
}

/** A new member; with `resend` the one who has not accepted yet. @throws ApiError staff_already_exists */
async function writeMember(
  ctx: Context,
  tx: Session,
  { body, newId, partner_id }: Invited & { newId: number },
): Promise<StaffMember> {
  const existing = await findInvited(ctx, tx, { body, partner_id });
  if (!existing) return await addMember(ctx, tx, { ...body, id: newId, partner_id });
  const { name, role, language = existing.language, time_zone = existing.time_zone } = body;
  return await saveMember(ctx, tx, { member: existing, set: { name, role, language, time_zone } });
}

export type NewMember = {
  id: number;
  partner_id: number;
  email: string;
  name: string;
  role: StaffRole;
  language?: Language | undefined;
  time_zone?: string | null | undefined;
};

/** Writes a new member who is not active yet, in the caller's transaction. The address must be free. */
export async function addMember(ctx: WriteContext, tx: Session, input: NewMember): Promise<StaffMember> {
  const { id, partner_id, email, name, role, language = 'en', time_zone = null } = input;
  await assertStays(ctx, tx, partner_id);
  const partner = await ctx.stores.partners.find(partner_id, tx);
  const now = ctx.clock.now();
  const member: StaffMember = {
    _id: id,
    partner_id,
    email,
    email_lower: toEmailLower(email),
    name,
    role,
    status: 'invited',
    language,
    time_zone,
    ...(partner?.new_member_alerts && { alerts: partner.new_member_alerts }),
    accepted_at: null,
    last_seen_at: null,
    removed_at: null,
    erased_at: null,
    version: 1,
    created_at: now,
    updated_at: now,
  };
  await ctx.stores.staff.insert(member, tx);
  await announceMember(ctx, tx, member);
  return member;
}

/**
 * Before the transaction: many invitations at the same time would conflict on the one counter. So only an invitation that is accepted
 * counts, or one that loses against another to the same address.
 * @throws ApiError rate_limited
 */
async function takeInvitationOfDay(ctx: Context, partnerId: number): Promise<void> {
  const use = { name: 'staff-invitations-day', subject: String(partnerId), limit: invitationsPerDay };
  const freeAt = await tryLimits(ctx, [use]);
  if (freeAt) throw limited(ctx, freeAt, 'You have sent 50 invitations today');
}

/** @throws ApiError rate_limited */
async function takeMailLimit(ctx: Context, tx: Session, { email_lower }: StaffMember): Promise<void> {
  const freeAt = await takeRecipientLimit(ctx, email_lower ?? '', tx);
  if (freeAt) throw limited(ctx, freeAt, 'This address has got too many e-mails');
}

function limited(ctx: Context, freeAt: Date, cause: string): ApiError {
  const retryAfterS = (freeAt.getTime() - ctx.clock.now().getTime()) / 1_000;
  return new ApiError('rate_limited', {
    message: `${cause}; try again after Retry-After seconds.`,
    retryAfterS,
  });
}

/** Queues the mail and ends earlier invitations, in the caller's transaction; emit `invitations` after the commit. */
export async function queueInvitation(
  ctx: WriteContext & Pick<Context, 'newId'>,
  tx: Session,
  { _id: staff_id, partner_id, email_lower }: StaffMember,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.stores.staffInvitations.voidAll(staff_id, now, tx);
  const invitation: StaffInvitation = {
    _id: ctx.newId(),
    partner_id,
    staff_id,
    email_lower: email_lower ?? '',
    used_at: null,
    void_at: null,
    created_at: now,
    expires_at: new Date(now.getTime() + lifetimeMs),
    delivery: await ctx.stores.staffInvitations.mails.newDelivery(),
  };
  await ctx.stores.staffInvitations.insert(invitation, tx);
}

export function sendInvitations(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'invitations',
    queue: ctx.stores.staffInvitations.mails,
    compose: (id) => composeInvitation(ctx, id),
    signal: 'invitations',
  });
}

/** Null if the invitation ended meanwhile. */
async function composeInvitation(ctx: Context, id: string): Promise<StaffMailRequest | null> {
  const open = await findOpen(ctx, await ctx.stores.staffInvitations.find(id));
  if (!open) return null;
  const { invitation, member } = open;
  return {
    kind: 'staff_invitation',
    message_id: `invitation-${id}`,
    to: member.email ?? invitation.email_lower,
    language: member.language,
    expires_at: invitation.expires_at.toISOString(),
    link: `${ctx.config.PUBLIC_URL}/console/invitation?token=${invitationTokenOf(invitation, ctx.macs)}`,
    staff_id: member._id,
    partner: await mailPartnerOf(ctx, member.partner_id),
  };
}

/** What the link of an invitation opens. It changes nothing. */
export function answerInvitation(ctx: Context): RequestHandler<'identity.invitation'> {
  return async ({ token }) => {
    const open = await findOpen(ctx, await findByToken(ctx, token));
    return { invitation: open && (await present(ctx, open.member)) };
  };
}

/** @throws ApiError invalid_invitation_token, partner_suspended */
export function answerAcceptInvitation(ctx: Context): RequestHandler<'identity.accept_invitation'> {
  return async ({ token, ...place }) => {
    const { address } = place;
    const sessionId = ctx.newId();
    const { member, session, step } = await transaction(ctx.db, async (tx) => {
      const open = await findOpen(ctx, await findByToken(ctx, token, tx), tx);
      const now = ctx.clock.now();
      if (!open || !(await ctx.stores.staffInvitations.use(open.invitation._id, now, tx)))
        throw new ApiError('invalid_invitation_token');
      const { member: invited } = open;
      await recordStaffAct(ctx, tx, { member: invited, act: 'accept_invitation', address });
      const kind = stepOf({ member: invited, partner: await activePartnerOf(ctx, tx, invited) });
      const step = kind && (await beginStep(ctx, tx, { id: sessionId, member: invited, kind }));
      const opening = { sessionId, member: invited, place };
      // The place is known then: the first sign-in is no news.
      if (step) await keepPlace(ctx, tx, { ...opening, news: null });
      const session = step ? null : await openSession(ctx, tx, opening);
      const set = { status: 'active', accepted_at: now } as const;
      return { session, step, member: await saveMember(ctx, tx, { member: invited, set }) };
    });
    const { _id: target_staff_id, partner_id } = member;
    logSecurity(ctx.log, { event: 'staff_accepted', outcome: 'done', target_staff_id, partner_id });
    const invitation = await present(ctx, member);
    if (!session) return { invitation, session: null, step };
    logSignIn(ctx, session, 'invitation');
    return { invitation, session: await presentSession(ctx, session), step: null };
  };
}

async function present(ctx: Context, { partner_id, name, role }: StaffMember) {
  const partner = await ctx.stores.partners.find(partner_id);
  return { partner_name: partner?.name ?? '', name, role };
}

async function findByToken(
  { macs, stores }: Context,
  token: string,
  tx: Session | null = null,
): Promise<StaffInvitation | null> {
  const id = rowIdOfToken(token);
  const invitation = id === null ? null : await stores.staffInvitations.find(id, tx);
  return invitation && isTokenOf(invitationTokenOf, invitation, { token, macs }) ? invitation : null;
}

/** An invitation that can be accepted now, and whose it is. */
async function findOpen(ctx: Context, invitation: StaffInvitation | null, tx: Session | null = null) {
  if (!invitation || invitation.used_at !== null || invitation.void_at !== null) return null;
  if (invitation.expires_at <= ctx.clock.now()) return null;
  const member = await ctx.stores.staff.find(invitation.staff_id, tx);
  const isOpen = member?.status === 'invited' && member.email_lower === invitation.email_lower;
  return isOpen ? { invitation, member } : null;
}

/** Awaits a write; an address that another member has becomes 409. */
async function mapAddressTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isStaffAddressTaken(error) ? new ApiError('staff_already_exists') : error;
  }
}
