import { ApiError, type CallerIds } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { callerNetworkMacs } from '../../credentials/known-networks.ts';
import { loginCodeOf } from '../../credentials/login-code.ts';
import { isSame } from '../../credentials/macs.ts';
import { toEmailLower } from '../../domain/user.ts';
import type { ChallengeFilter, CodePurpose, LoginChallenge } from '../../store/login-challenges.ts';

export type CodeGuess = {
  /** Default: of people. */
  purpose?: CodePurpose;
  email: string;
  code: string;
  requestId: string | null;
  network: string;
};

/**
 * Finds the challenge of a code: the one of `requestId`, else among those requested from the caller's network. Each compared
 * challenge loses one try, before the comparison (interface.md §4).
 * @throws ApiError invalid_login_code, too_many_login_attempts
 */
export async function matchLoginCode(ctx: Context, guess: CodeGuess): Promise<LoginChallenge> {
  const now = ctx.clock.now();
  const live = await ctx.stores.loginChallenges.live(filterOf(ctx, guess), now);
  let match: LoginChallenge | undefined;
  let compared = 0;
  for (const challenge of live) {
    if (!(await ctx.stores.loginChallenges.takeTry(challenge._id, now))) continue;
    compared++;
    const code = loginCodeOf(challenge, ctx.macs);
    if (code !== null && isSame(code, guess.code)) match ??= challenge;
  }
  if (match) return match;
  if (compared > 0) void ctx.codeFailures.record();
  const callerIds = callerIdsOf(ctx, guess);
  const [newest] = live;
  if (!newest || compared > 0) throw new ApiError('invalid_login_code', { callerIds });
  throw new ApiError('too_many_login_attempts', {
    callerIds,
    message: 'Too many attempts with this code; request a new one.',
    retryAfterS: (newest.expires_at.getTime() - now.getTime()) / 1000,
  });
}

function filterOf(
  ctx: Context,
  { purpose = 'person', email, requestId, network }: CodeGuess,
): ChallengeFilter {
  const email_lower = toEmailLower(email);
  if (requestId !== null) return { purpose, email_lower, _id: requestId };
  return { purpose, email_lower, address_mac: { $in: callerNetworkMacs(ctx.macs, network) } };
}

/** Lets the log relate guesses at one address without showing it. */
function callerIdsOf(ctx: Context, { email }: CodeGuess): CallerIds {
  const hash = ctx.macs.mac('address-in-logs', toEmailLower(email)).toString('hex');
  return { address_hash: hash.slice(0, 16) };
}
