import type { SendRequest } from '@casewatch/contracts';
import { RetryLaterError, type Running } from '@casewatch/platform';
import { requesterOf } from '../changes/open-session.ts';
import type { Context } from '../context.ts';
import { loginCodeOf } from '../credentials/login-code.ts';
import { mailPartnerOf } from '../present/mail-partner.ts';
import { queueWelcome } from '../sign-up/sign-up.ts';
import type { LoginChallenge } from '../store/login-challenges.ts';
import { startMailLoop } from './mail-loop.ts';

export function sendLoginCodes(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'login codes',
    queue: ctx.stores.loginChallenges.mails,
    compose: (id) => compose(ctx, id),
    sweepMs: ctx.config.ADDRESS_BATCH_MS / 2,
    signal: 'loginCodes',
  });
}

/** Only here the address is looked up, so the answer to the caller does not depend on it. */
async function compose(ctx: Context, id: string): Promise<SendRequest | null> {
  const { stores, macs } = ctx;
  const challenge = await stores.loginChallenges.find(id);
  if (!challenge || challenge.used_at !== null) return null;
  if (challenge.purpose === 'staff') return await composeForStaff(ctx, challenge);
  // Read before the user: a sign-up that is processed in between is then found as a user.
  const isSigningUp = await stores.addressRequests.hasSignUp(challenge.email_lower);
  const users = await stores.users.findByEmail(challenge.email_lower);
  const [user] = users;
  if (!user && isSigningUp) throw new RetryLaterError('a sign-up with this address is not processed yet');
  // A code also verifies a requested new address that no user has, unless it is of the front page.
  const pending = user ? null : await requesterOf(ctx, challenge);
  const recipient = user ?? pending;
  if (!recipient) {
    await queueWelcome(ctx, challenge);
    return null;
  }
  const isOfOne = users.every(({ partner_id }) => partner_id === recipient.partner_id);
  const code = loginCodeOf(challenge, macs);
  if (code === null) throw new RetryLaterError('this replica does not have the pepper of the code');
  return {
    kind: 'login_code',
    message_id: `login-${id}`,
    to: user?.email ?? pending?.pending_email ?? challenge.email_lower,
    language: challenge.language ?? recipient.preferred_language,
    expires_at: challenge.expires_at.toISOString(),
    code,
    // Nobody's alone where the address has accounts at several partners, or one without a partner.
    partner: isOfOne ? await mailPartnerOf(ctx, recipient.partner_id) : null,
  };
}

/** The same for a member of staff: whoever is active at a partner, perhaps at several. */
async function composeForStaff(ctx: Context, challenge: LoginChallenge): Promise<SendRequest | null> {
  const [member, ...others] = await ctx.stores.staff.findActiveByEmail(challenge.email_lower);
  if (!member) return null;
  const code = loginCodeOf(challenge, ctx.macs);
  if (code === null) throw new RetryLaterError('this replica does not have the pepper of the code');
  return {
    kind: 'login_code',
    message_id: `login-${challenge._id}`,
    to: member.email ?? challenge.email_lower,
    language: member.language,
    expires_at: challenge.expires_at.toISOString(),
    code,
    for_staff: true,
    partner: others.length === 0 ? await mailPartnerOf(ctx, member.partner_id) : null,
  };
}
