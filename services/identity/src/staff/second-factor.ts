import {
  type FactorKey,
  type SecondFactorRule,
  type SignInStep as SignInStepSent,
  type StaffRole,
  toIso,
} from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import { recordStaffAct } from '../audit/audit.ts';
import type { Context, WriteContext } from '../context.ts';
import { stepTokenOf } from '../credentials/console-tokens.ts';
import { newRecoveryCodes, recoveryMac } from '../credentials/recovery-codes.ts';
import { newTotpKey, totpStep, totpUri } from '../credentials/totp.ts';
import { takeLimits } from '../limits/take-limits.ts';
import type { MailDelivery } from '../store/mail-queue.ts';
import type { Partner } from '../store/partners.ts';
import { factorContext } from '../store/second-factors.ts';
import type { SignInStep } from '../store/sign-in-steps.ts';
import type { StaffMember } from '../store/staff.ts';
import { tellMember } from './notices.ts';

// The second factor of members (firm.md §1, docs/adr/0093): who needs one, what waits for it, and how its codes are compared and used up.
// The sign-in is in sign-in-step.ts; what a member changes later, signed in, in own-second-factor.ts.

const stepMs = 10 * 60 * 1_000;
const dayMs = 24 * 60 * 60 * 1_000;
/** Tries of one member in all sign-ins: who can read the member's mail could begin many. */
const triesPerDay = { max: 100, windowMs: dayMs };

export function isRequired(rule: SecondFactorRule | undefined, role: StaffRole): boolean {
  return rule === 'all' || (rule === 'owners' && role === 'owner');
}

type Account = {
  member: Pick<StaffMember, 'role' | 'second_factor_since'>;
  partner: Pick<Partner, 'second_factor'>;
};

/** What must stand behind each session of a member; null: the code of the e-mail alone. */
export function stepOf({ member, partner }: Account): 'code' | 'set_up' | null {
  if (member.second_factor_since != null) return 'code';
  return isRequired(partner.second_factor, member.role) ? 'set_up' : null;
}

type Beginning = { id: string; member: StaffMember; kind: SignInStep['kind'] };

/** Writes what a sign-in, or a session, waits for, in the caller's transaction. */
export async function beginStep(
  ctx: Context,
  tx: Session,
  { id, member: { _id: staff_id, partner_id }, kind }: Beginning,
): Promise<SignInStepSent> {
  const now = ctx.clock.now();
  const expires_at = new Date(now.getTime() + stepMs);
  const sealed_key = kind === 'code' ? null : ctx.factorBox.seal(newTotpKey(), factorContext(staff_id));
  const times = { used_at: null, created_at: now, expires_at };
  await ctx.stores.signInSteps.put(
    { _id: id, kind, staff_id, partner_id, sealed_key, tries: 0, ...times },
    tx,
  );
  const token = stepTokenOf(id, ctx.macs);
  return { token, kind: kind === 'code' ? 'code' : 'set_up', expires_at: toIso(expires_at) };
}

/** Counts what was refused with the wrong codes of e-mails. */
export async function countingFailures<T>(ctx: Context, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_login_code') void ctx.codeFailures.record();
    throw error;
  }
}

/**
 * Before a code is compared, as for the code of an e-mail.
 * @throws ApiError too_many_login_attempts, rate_limited
 */
export async function takeTry(ctx: Context, step: SignInStep): Promise<void> {
  const { staff_id, partner_id } = step;
  const now = ctx.clock.now();
  if (!(await ctx.stores.signInSteps.takeTry(step._id, now)))
    throw new ApiError('too_many_login_attempts', {
      callerIds: { staff_id, partner_id },
      message: 'Too many attempts; sign in again with a new code from an e-mail.',
      retryAfterS: (step.expires_at.getTime() - now.getTime()) / 1_000,
    });
  const use = { name: 'second-factor-day', subject: String(staff_id), limit: triesPerDay };
  await takeLimits(ctx, [use], 'Too many attempts today; ask an owner of your organization.');
}

type Proof = { member: StaffMember; code: string; delivery: MailDelivery; address: string };

/** @throws ApiError invalid_login_code: wrong, of another time, or used before */
export async function useCode(
  ctx: Context,
  tx: Session,
  { member, code, delivery, address }: Proof,
): Promise<void> {
  const { secondFactors } = ctx.stores;
  const factor = await secondFactors.find(member._id, tx);
  if (!factor) throw gone();
  const key = ctx.factorBox.open(factor.sealed_key, factorContext(member._id));
  const typed = withoutGaps(code);
  if (isOfApp(typed)) {
    const step = totpStep(key, typed, ctx.clock.now());
    if (step === null || !(await secondFactors.useStep(member._id, step, tx))) throw wrongCode(member);
    return;
  }
  if (!(await secondFactors.useRecoveryCode(member._id, recoveryMac(key, typed), tx)))
    throw wrongCode(member);
  await recordStaffAct(ctx, tx, { member, act: 'use_recovery_code', address });
  const codesLeft = factor.recovery_macs.length - 1;
  await tellMember(ctx, tx, { member, change: 'recovery_code_used', codesLeft, delivery });
}

/**
 * Makes the key of a step the member's second factor, in place of the one before, and returns the new recovery codes.
 * @throws ApiError invalid_login_code
 */
export async function setUp(
  ctx: Context,
  tx: Session,
  { member, step, code, delivery, address }: Proof & { step: SignInStep },
): Promise<string[]> {
  const { _id } = member;
  const now = ctx.clock.now();
  if (step.sealed_key === null) throw gone();
  const key = ctx.factorBox.open(step.sealed_key, factorContext(_id));
  const typed = withoutGaps(code);
  const last_step = isOfApp(typed) ? totpStep(key, typed, now) : null;
  if (last_step === null) throw wrongCode(member);
  const codes = newRecoveryCodes();
  const recovery_macs = codes.map((one) => recoveryMac(key, one));
  const sealed_key = ctx.factorBox.seal(key, factorContext(_id));
  await ctx.stores.secondFactors.put({ _id, sealed_key, last_step, recovery_macs }, tx);
  // Of two that set one up in parallel, the member's row lets one through.
  await ctx.stores.staff.save(member, { second_factor_since: now, updated_at: now }, tx);
  await recordStaffAct(ctx, tx, { member, act: 'set_up_second_factor', address });
  await tellMember(ctx, tx, { member, change: 'on', codesLeft: codes.length, delivery });
  return codes;
}

/** Takes the second factor of a member away, and the sign-ins that wait for it. */
export async function takeAway(
  { clock, stores }: Pick<WriteContext, 'clock' | 'stores'>,
  tx: Session,
  member: StaffMember,
): Promise<StaffMember> {
  await stores.secondFactors.remove(member._id, tx);
  await stores.signInSteps.removeAll(member._id, tx);
  return await stores.staff.save(member, { second_factor_since: null, updated_at: clock.now() }, tx);
}

/** The key that is being set up, for the page. */
export function keyOf(
  ctx: Context,
  { sealed_key }: SignInStep,
  { member, partner }: Shown,
): FactorKey | null {
  if (sealed_key === null) return null;
  const text = ctx.factorBox.open(sealed_key, factorContext(member._id));
  const uri = totpUri(text, { issuer: 'Casewatch', account: `${partner.name} ${member.email}` });
  return { text, uri };
}

type Shown = { member: StaffMember; partner: Partner };

/** Apps show the code in two groups. */
function withoutGaps(code: string): string {
  return code.replaceAll(/[\s-]/g, '');
}

/** Recovery codes are longer. */
function isOfApp(code: string): boolean {
  return /^\d{6}$/.test(code);
}

export function gone(): ApiError {
  return new ApiError('invalid_login_code', {
    message: 'This sign-in is no longer open; begin again with a new code from an e-mail.',
  });
}

function wrongCode({ _id: staff_id, partner_id }: StaffMember): ApiError {
  return new ApiError('invalid_login_code', {
    callerIds: { staff_id, partner_id },
    message: 'This code is not valid, or was used before.',
  });
}
