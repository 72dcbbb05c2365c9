import { ApiError, type CallerIds } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { callerNetworkMacs } from '../../credentials/caller-address.ts';
import { loginCodeOf } from '../../credentials/login-code.ts';
import { isSame } from '../../credentials/macs.ts';
import { toEmailLower } from '../../domain/user.ts';
import type { ChallengeFilter, LoginChallenge } from '../../store/login-challenges.ts';

export type CodeGuess = { email: string; code: string; requestId: string | null; network: string };

/**
 * The challenge whose code this is. A guess takes one try of every code that it is compared with, before comparing: of
 * the one named by `requestId`, else of the live ones requested from the caller's own network (interface.md §4).
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
  const last = live[0];
  if (last && compared === 0) throw tooMany(last, now, callerIdsOf(ctx, guess));
  throw new ApiError('invalid_login_code', { who: callerIdsOf(ctx, guess) });
}

function filterOf(ctx: Context, { email, requestId, network }: CodeGuess): ChallengeFilter {
  const email_lower = toEmailLower(email);
  if (requestId !== null) return { email_lower, _id: requestId };
  return { email_lower, address_mac: { $in: callerNetworkMacs(ctx.macs, network) } };
}

/** Several guesses at one address can be told from the log, the address itself cannot. */
function callerIdsOf(ctx: Context, { email }: CodeGuess): CallerIds {
  return { address_hash: ctx.macs.mac('address-in-logs', toEmailLower(email)).toString('hex').slice(0, 16) };
}

function tooMany(challenge: LoginChallenge, now: Date, who: CallerIds): ApiError {
  return new ApiError('too_many_login_attempts', {
    who,
    message: 'Too many attempts with this code; request a new one.',
    retryAfterS: (challenge.expires_at.getTime() - now.getTime()) / 1000,
  });
}
