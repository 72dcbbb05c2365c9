import { toIso } from '@casewatch/contracts';
import { ApiError, assertRecent, type RequestHandler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { recordStaffAct } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import type { StaffSession } from '../store/staff-sessions.ts';
import { tellMember } from './notices.ts';
import { beginStep, countingFailures, isRequired, keyOf, setUp, takeAway, takeTry } from './second-factor.ts';
import { accountOf, loadSession } from './sign-in.ts';

// What a member does with the own second factor, signed in: look, set one up, set up another in its place, turn it off. All but the
// look need a sign-in within 15 minutes, which passed through the second factor that there was.

/** @throws ApiError console_session_ended */
export function answerSecondFactor(ctx: Context): RequestHandler<'identity.second_factor'> {
  return async ({ token }) => {
    const { session } = await loadSession(ctx, token);
    const account = await accountOf(ctx, session);
    const { member, partner } = account;
    const [factor, step] = await Promise.all([
      ctx.stores.secondFactors.find(member._id),
      ctx.stores.signInSteps.live(session._id, ctx.clock.now()),
    ]);
    return {
      since: member.second_factor_since ? toIso(member.second_factor_since) : null,
      recovery_codes_left: factor?.recovery_macs.length ?? 0,
      is_required: isRequired(partner.second_factor, member.role),
      key: step && keyOf(ctx, step, account),
    };
  };
}

/** Makes a key, which works only when a code of it was confirmed. @throws ApiError console_session_ended, reauthentication_required */
export function answerSetUpSecondFactor(ctx: Context): RequestHandler<'identity.set_up_second_factor'> {
  return async ({ token }) => {
    const session = await loadRecent(ctx, token);
    await transaction(ctx.db, async (tx) => {
      const { member } = await accountOf(ctx, session, tx);
      await beginStep(ctx, tx, { id: session._id, member, kind: 'in_session' });
    });
    return {};
  };
}

/**
 * The other sessions of the member end: no second factor, or another one, stands behind them.
 * @throws ApiError console_session_ended, reauthentication_required, invalid_login_code, too_many_login_attempts
 */
export function answerConfirmSecondFactor(ctx: Context): RequestHandler<'identity.confirm_second_factor'> {
  return async ({ token, code, address }) => {
    const session = await loadRecent(ctx, token);
    const step = await ctx.stores.signInSteps.live(session._id, ctx.clock.now());
    if (!step) throw notBegun();
    await takeTry(ctx, step);
    const delivery = await ctx.stores.staffNotices.mails.newDelivery();
    const work = transaction(ctx.db, async (tx) => {
      const now = ctx.clock.now();
      const { member } = await accountOf(ctx, session, tx);
      if (!(await ctx.stores.signInSteps.use(step._id, now, tx))) throw notBegun();
      const codes = await setUp(ctx, tx, { member, step, code, delivery, address });
      await ctx.stores.staffSessions.keepProven(member._id, session._id, now, tx);
      await ctx.stores.revocations.add(tx, { kind: 'staff', id: member._id });
      return codes;
    });
    const recovery_codes = await countingFailures(ctx, work);
    ctx.signals.emit('staffNotices');
    return { recovery_codes };
  };
}

/** @throws ApiError console_session_ended, reauthentication_required; validation_failed while it is required */
export function answerTurnOffSecondFactor(ctx: Context): RequestHandler<'identity.turn_off_second_factor'> {
  return async ({ token, address }) => {
    const session = await loadRecent(ctx, token);
    const delivery = await ctx.stores.staffNotices.mails.newDelivery();
    await transaction(ctx.db, async (tx) => {
      const { member, partner } = await accountOf(ctx, session, tx);
      if (member.second_factor_since == null) return;
      if (isRequired(partner.second_factor, member.role))
        throw new ApiError('validation_failed', {
          message: 'Your organization requires a second factor: set up another one in its place.',
        });
      await takeAway(ctx, tx, member);
      await recordStaffAct(ctx, tx, { member, act: 'turn_off_second_factor', address });
      await tellMember(ctx, tx, { member, change: 'off', codesLeft: 0, delivery });
    });
    ctx.signals.emit('staffNotices');
    return {};
  };
}

async function loadRecent(ctx: Context, token: string): Promise<StaffSession> {
  const { session } = await loadSession(ctx, token);
  await accountOf(ctx, session);
  assertRecent(session.signed_in_at, ctx.clock.now());
  return session;
}

function notBegun(): ApiError {
  return new ApiError('invalid_login_code', { message: 'The key is too old; begin again with a new one.' });
}
