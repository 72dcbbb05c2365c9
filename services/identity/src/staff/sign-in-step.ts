import { ApiError, type RequestHandler } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import { recordStaffAct } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { readStepToken } from '../credentials/console-tokens.ts';
import type { SignInStep } from '../store/sign-in-steps.ts';
import { countingFailures, gone, keyOf, setUp, stepOf, takeTry, useCode } from './second-factor.ts';
import { logSignIn, openSession, present } from './sign-in.ts';
import { newsOf } from './sign-in-notice.ts';

// The second step of a member's sign-in (firm.md §1): a code of an authenticator app or a recovery code; or, where the firm requires a
// second factor and the member has none, its set-up. A session opens only after it. The token of the step is in a cookie of the browser
// that sent the code of the e-mail, and works for ten minutes.

/** @throws ApiError invalid_login_code */
export function answerSignInStep(ctx: Context): RequestHandler<'identity.sign_in_step'> {
  return async ({ token }) => {
    const step = await loadStep(ctx, token);
    const { member, partner } = await loadAccount(ctx, step);
    return {
      kind: step.kind === 'code' ? 'code' : 'set_up',
      partner_name: partner.name,
      key: keyOf(ctx, step, { member, partner }),
    };
  };
}

/**
 * Takes the code, and opens the session. A code works once, whichever of two sign-ins sends it first.
 * @throws ApiError invalid_login_code, too_many_login_attempts, rate_limited, partner_suspended
 */
export function answerFinishSignIn(ctx: Context): RequestHandler<'identity.finish_sign_in'> {
  return async ({ token, code, ...place }) => {
    const step = await loadStep(ctx, token);
    await takeTry(ctx, step);
    const { member: known } = await loadAccount(ctx, step);
    const news = await newsOf(ctx, place, known.email_lower ?? '');
    const delivery = await ctx.stores.staffNotices.mails.newDelivery();
    const sessionId = ctx.newId();
    const work = transaction(ctx.db, async (tx) => {
      const { member, partner } = await loadAccount(ctx, step, tx);
      // Meanwhile a second factor was set up elsewhere, or reset: this sign-in knows nothing of it.
      if (stepOf({ member, partner }) !== step.kind) throw gone();
      if (!(await ctx.stores.signInSteps.use(step._id, ctx.clock.now(), tx))) throw gone();
      const proof = { member, code, delivery, address: place.address };
      const recovery_codes = step.kind === 'set_up' ? await setUp(ctx, tx, { ...proof, step }) : [];
      if (step.kind === 'code') await useCode(ctx, tx, proof);
      await recordStaffAct(ctx, tx, { member, act: 'sign_in', address: place.address });
      const opening = { sessionId, member, place, news, hasSecondFactor: true };
      return { session: await openSession(ctx, tx, opening), recovery_codes };
    });
    const { session, recovery_codes } = await countingFailures(ctx, work);
    ctx.signals.emit('staffNotices');
    logSignIn(ctx, session, 'second_factor');
    return { session: await present(ctx, session), recovery_codes };
  };
}

async function loadStep(ctx: Context, token: string): Promise<SignInStep> {
  const id = readStepToken(token, ctx.macs);
  const step = id === null ? null : await ctx.stores.signInSteps.live(id, ctx.clock.now());
  if (!step || step.kind === 'in_session') throw gone();
  return step;
}

/** @throws ApiError invalid_login_code: not a member who is active; partner_suspended */
async function loadAccount(ctx: Context, { staff_id, partner_id }: SignInStep, tx: Session | null = null) {
  const member = await ctx.stores.staff.find(staff_id, tx);
  const partner = await ctx.stores.partners.find(partner_id, tx);
  if (member?.status !== 'active') throw gone();
  if (partner?.status !== 'active')
    throw new ApiError('partner_suspended', { callerIds: { partner_id, staff_id } });
  return { member, partner };
}
