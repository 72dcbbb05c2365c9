import { type ReplyInput, type StaffAct, scopesOfRole, toIso } from '@casewatch/contracts';
import { ApiError, logSecurity, networkOf, type RequestHandler, shortNetworkOf } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import { recordStaffAct } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { readStaffToken, staffTokenOf } from '../credentials/console-tokens.ts';
import { findPepper } from '../credentials/macs.ts';
import { judgeGeneration } from '../domain/session.ts';
import { toEmailLower } from '../domain/user.ts';
import { matchLoginCode } from '../http/sign-in/match-login-code.ts';
import { challenge, codeSeconds } from '../http/sign-in/request-login-code.ts';
import { logoUrlOf } from '../present/logo-url.ts';
import type { Partner } from '../store/partners.ts';
import type { StaffMember } from '../store/staff.ts';
import type { StaffSession } from '../store/staff-sessions.ts';
import { beginStep, stepOf } from './second-factor.ts';
import { keepPlace, newsOf } from './sign-in-notice.ts';

// How members sign in to the console. Codes are made, limited and compared by the engine of people, with a purpose of their own; a
// session has one token that is replaced every 15 minutes (ADR 0045, 0088).

const hourMs = 60 * 60 * 1_000;
const idleMs = 12 * hourMs;
const maxMs = 7 * 24 * hourMs;
/** Time for which a token is used before it is replaced, ms: as an access token (interface.md §4, Tokens). */
const tokenMs = 15 * 60 * 1_000;

/** The same answer, in the same time, for an address that nobody has. @throws ApiError rate_limited */
export function answerRequestStaffCode(ctx: Context): RequestHandler<'identity.request_staff_code'> {
  return async ({ email, address }) => {
    const request_id = await challenge(ctx, { purpose: 'staff', email, language: null, address });
    return { request_id, expires_in: codeSeconds };
  };
}

/**
 * A member of several partners chooses one; the code is not used up then. Where a second factor stands behind the sessions of the
 * member, the sign-in gets a step, and no session yet.
 * @throws ApiError invalid_login_code, too_many_login_attempts, partner_suspended
 */
export function answerStaffSignIn(ctx: Context): RequestHandler<'identity.staff_sign_in'> {
  return async ({ email, code, request_id: requestId, partner_id, ...place }) => {
    const { address } = place;
    const network = networkOf(address);
    const match = await matchLoginCode(ctx, { purpose: 'staff', email, code, requestId, network });
    const emailLower = toEmailLower(email);
    const sessionId = ctx.newId();
    const news = await newsOf(ctx, place, emailLower);
    // The code is used up only together with the session that it opens.
    const opened = await transaction(ctx.db, async (tx) => {
      const members = await ctx.stores.staff.findActiveByEmail(emailLower, tx);
      const chosen = partner_id === null ? members : members.filter((each) => each.partner_id === partner_id);
      if (chosen.length > 1) return { choices: await choicesOf(ctx, chosen) };
      const [member] = chosen;
      const now = ctx.clock.now();
      if (!member || !(await ctx.stores.loginChallenges.consume(match._id, now, tx)))
        throw new ApiError('invalid_login_code');
      const kind = stepOf({ member, partner: await activePartnerOf(ctx, tx, member) });
      if (kind !== null) return { step: await beginStep(ctx, tx, { id: sessionId, member, kind }) };
      await recordStaffAct(ctx, tx, { member, act: 'sign_in', address });
      return { session: await openSession(ctx, tx, { sessionId, member, place, news }) };
    });
    if ('choices' in opened) return { session: null, step: null, choices: opened.choices };
    if ('step' in opened) return { session: null, step: opened.step, choices: [] };
    if (news) ctx.signals.emit('staffNotices');
    logSignIn(ctx, opened.session, 'code');
    return { session: await present(ctx, opened.session), step: null, choices: [] };
  };
}

async function choicesOf(ctx: Context, members: readonly StaffMember[]) {
  const partners = await ctx.stores.partners.findAll(members.map(({ partner_id }) => partner_id));
  return partners.map(({ _id, name }) => ({ partner_id: _id, partner_name: name }));
}

type Opening = Omit<Parameters<typeof keepPlace>[2], 'news'> & {
  news?: Awaited<ReturnType<typeof newsOf>>;
  hasSecondFactor?: boolean;
};

/** Opens a session in the caller's transaction; with `news` the member is told. @throws ApiError partner_suspended */
export async function openSession(
  ctx: Context,
  tx: Session,
  { sessionId, member, place, news = null, hasSecondFactor = false }: Opening,
): Promise<StaffSession> {
  const { _id: staff_id, partner_id } = member;
  await activePartnerOf(ctx, tx, member);
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + maxMs);
  const session: StaffSession = {
    _id: sessionId,
    staff_id,
    partner_id,
    generation: 1,
    pepper_id: ctx.macs.id,
    rotated_at: now,
    signed_in_at: now,
    expires_at: expiresAt,
    idle_expires_at: new Date(now.getTime() + idleMs),
    ended_at: null,
    has_second_factor: hasSecondFactor,
    browser: place.browser,
    network: shortNetworkOf(place.address),
  };
  await ctx.stores.staffSessions.insert(session, tx);
  await ctx.stores.staff.recordSeen(staff_id, now, tx);
  await keepPlace(ctx, tx, { member, place, news, sessionId });
  return session;
}

/** @throws ApiError partner_suspended */
export async function activePartnerOf(
  ctx: Context,
  tx: Session,
  { _id: staff_id, partner_id }: StaffMember,
): Promise<Partner> {
  const partner = await ctx.stores.partners.find(partner_id, tx);
  if (partner?.status === 'active') return partner;
  throw new ApiError('partner_suspended', { callerIds: { partner_id, staff_id } });
}

type Way = 'code' | 'invitation' | 'second_factor';

export function logSignIn(ctx: Context, session: StaffSession, reason: Way): void {
  logSecurity(ctx.log, { event: 'sign_in', outcome: 'done', reason, ...idsOfSession(session) });
}

/** @throws ApiError console_session_ended, partner_suspended */
export function answerStaffSession(ctx: Context): RequestHandler<'identity.staff_session'> {
  return async ({ token }) => {
    const { session } = await loadSession(ctx, token);
    return await present(ctx, session);
  };
}

/** @throws ApiError as answerStaffSession */
export function answerRenewStaffSession(ctx: Context): RequestHandler<'identity.renew_staff_session'> {
  return async ({ token }) => {
    const { session, generation } = await loadSession(ctx, token);
    const renewed = await renew(ctx, session, generation);
    await ctx.stores.staff.recordSeen(renewed.staff_id, ctx.clock.now());
    return await present(ctx, renewed);
  };
}

/** Ends the session of the token, or all of the member. */
export function answerEndStaffSession(ctx: Context): RequestHandler<'identity.end_staff_session'> {
  return async ({ token, all }) => {
    const claim = readStaffToken(token, ctx.macs);
    const session = claim && (await ctx.stores.staffSessions.find(claim.sessionId));
    if (!session || session.ended_at !== null) return { ended: false };
    await endSession(ctx, session, { all });
    const reason = all ? 'logged_out_everywhere' : 'logged_out';
    logSecurity(ctx.log, { event: 'session_ended', outcome: 'done', reason, ...idsOfSession(session) });
    return { ended: true };
  };
}

/** The live session of a token. @throws ApiError console_session_ended; a token that was replaced earlier also ends the session */
export async function loadSession(
  ctx: Context,
  token: string,
): Promise<{ session: StaffSession; generation: number }> {
  const claim = readStaffToken(token, ctx.macs);
  const session = claim && (await ctx.stores.staffSessions.find(claim.sessionId));
  if (!session || !isLive(session, ctx.clock.now())) throw new ApiError('console_session_ended');
  await refuseReused(ctx, session, claim.generation);
  return { session, generation: claim.generation };
}

export function isLive({ ended_at, expires_at, idle_expires_at }: StaffSession, now: Date): boolean {
  return ended_at === null && now < expires_at && now < idle_expires_at;
}

async function renew(ctx: Context, session: StaffSession, generation: number): Promise<StaffSession> {
  if (generation !== session.generation) return session;
  const now = ctx.clock.now();
  const idleExpiresAt = new Date(Math.min(now.getTime() + idleMs, session.expires_at.getTime()));
  const rotated = await ctx.stores.staffSessions.rotate(session, {
    now,
    idleExpiresAt,
    pepperId: ctx.macs.id,
  });
  if (rotated) return rotated;
  // A concurrent renewal came first, or the session ended.
  const current = await ctx.stores.staffSessions.find(session._id);
  if (!current || !isLive(current, now)) throw new ApiError('console_session_ended');
  await refuseReused(ctx, current, generation);
  return await renew(ctx, current, generation);
}

/** Someone has an old token: perhaps a thief, so the session ends. */
async function refuseReused(ctx: Context, session: StaffSession, generation: number): Promise<void> {
  if (judgeGeneration(session, generation, ctx.clock.now()) !== 'reused') return;
  await endSession(ctx, session, { act: 'end_reused_session' });
  throw new ApiError('console_session_ended', { detail: 'token reused', callerIds: idsOfSession(session) });
}

type End = { all?: boolean; act?: StaffAct };

/** `act`: what the firm reads. A session that a reused token ends is none that its member left. */
export async function endSession(
  ctx: Context,
  { _id, staff_id, partner_id }: StaffSession,
  { all = false, act = 'sign_out' }: End = {},
): Promise<void> {
  const now = ctx.clock.now();
  await transaction(ctx.db, async (tx) => {
    await recordStaffAct(ctx, tx, { member: { _id: staff_id, partner_id }, act, address: null });
    if (all) await ctx.stores.staffSessions.endAll(staff_id, now, tx);
    else await ctx.stores.staffSessions.end(_id, now, tx);
    await ctx.stores.revocations.add(
      tx,
      all ? { kind: 'staff', id: staff_id } : { kind: 'session', id: _id },
    );
  });
}

const needsSecondFactor = 'Your organization requires a second factor now; sign in again to set it up.';

/**
 * Whose session it is, if it permits anything now. One without the second factor that its member needs permits nothing, whenever the
 * need came: it may be stolen, and would set up a factor of the thief.
 * @throws ApiError console_session_ended, partner_suspended
 */
export async function accountOf(
  ctx: Context,
  session: StaffSession,
  tx: Session | null = null,
): Promise<{ member: StaffMember; partner: Partner }> {
  const callerIds = idsOfSession(session);
  const member = await ctx.stores.staff.find(session.staff_id, tx);
  const partner = await ctx.stores.partners.find(session.partner_id, tx);
  if (member?.status !== 'active') throw new ApiError('console_session_ended', { callerIds });
  if (partner?.status !== 'active') throw new ApiError('partner_suspended', { callerIds });
  if (!session.has_second_factor && stepOf({ member, partner }) !== null)
    throw new ApiError('console_session_ended', { callerIds, message: needsSecondFactor });
  return { member, partner };
}

/** What the session permits now: role and status are read each time. */
export async function present(
  ctx: Context,
  session: StaffSession,
): Promise<ReplyInput<'identity.staff_session'>> {
  const { _id: session_id, staff_id, partner_id, generation, signed_in_at } = session;
  const { member, partner } = await accountOf(ctx, session);
  const pepper = findPepper(ctx.macs, session.pepper_id) ?? ctx.macs;
  const { role, name } = member;
  const end = Math.min(session.expires_at.getTime(), session.idle_expires_at.getTime());
  return {
    token: staffTokenOf(session_id, generation, pepper),
    principal: {
      kind: 'partner',
      partner_id,
      key_id: '',
      scopes: [...scopesOfRole[role]],
      staff_id,
      role,
      signed_in_at: Math.floor(signed_in_at.getTime() / 1_000),
    },
    session_id,
    actor: name,
    partner_name: partner.name,
    partner_logo_url: logoUrlOf(ctx, partner),
    read_only: false,
    time_zone: member.time_zone ?? partner.time_zone,
    language: member.language,
    renew_at: toIso(new Date(Math.min(session.rotated_at.getTime() + tokenMs, end))),
    expires_at: toIso(new Date(end)),
  };
}

export function idsOfSession({ _id, staff_id, partner_id }: StaffSession) {
  return { session_id: _id, staff_id, partner_id };
}
