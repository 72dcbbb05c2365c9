import type { Language } from '@casewatch/contracts';
import { type Handler, networkOf, siteOf } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { callerNetworkMac, knownNetworkIds, signInName } from '../../credentials/known-networks.ts';
import { nextBatchTick } from '../../domain/batch-tick.ts';
import { toEmailLower } from '../../domain/user.ts';
import { type LimitUse, takeLimits } from '../../limits/take-limits.ts';
import type { CodePurpose } from '../../store/login-challenges.ts';

export const codeSeconds = 600;
const hourMs = 60 * 60 * 1000;
const perEmailAndAddress = { max: 5, windowMs: hourMs };
const perAddress = { max: 20, windowMs: hourMs };
/** An IPv6 /48 has 65,536 networks. */
const perSite = { max: 100, windowMs: hourMs };
/** Per e-mail address, across all networks without a recent sign-in by its owner. */
const perEmail = { max: 15, windowMs: hourMs };

/** POST /v1/auth/login-code. The user is looked up later (login-code-mails.ts), so the answer is the same for every address. */
export function requestLoginCode(ctx: Context): Handler<'request_login_code'> {
  return async ({ body, address }) => {
    const { email, preferred_language: language = null } = body;
    const id = await challenge(ctx, { purpose: 'person', email, language, address });
    return {
      body: {
        success: true,
        message: 'If this address belongs to a user, we have sent a code to it.',
        request_id: id,
        expires_in: codeSeconds,
        resend_after: 60,
      },
    };
  };
}

type Asked = {
  purpose: CodePurpose;
  email: string;
  language: Language | null;
  address: string;
  /** An address that nobody has gets a welcome. */
  isWelcome?: boolean;
};

/**
 * Makes a code for an address, whoever has it, and returns the id of the request. People and members of staff have limits of their own
 * for an e-mail address; those of a network are shared.
 * @throws ApiError rate_limited
 */
export async function challenge(
  ctx: Context,
  { purpose, email, language, address, isWelcome }: Asked,
): Promise<string> {
  const emailLower = toEmailLower(email);
  const now = ctx.clock.now();
  const limits = await limitsOf(ctx, signInName(purpose, emailLower), address);
  await takeLimits(ctx, limits, 'Too many codes were requested; try again after Retry-After seconds.');
  const id = ctx.newId();
  await ctx.stores.loginChallenges.insert({
    _id: id,
    ...(purpose === 'staff' && { purpose }),
    email_lower: emailLower,
    ...(isWelcome && { typed_email: email }),
    address_mac: callerNetworkMac(ctx.macs, networkOf(address)),
    pepper_id: ctx.macs.id,
    language,
    tries: 0,
    used_at: null,
    created_at: now,
    expires_at: new Date(now.getTime() + codeSeconds * 1000),
    delivery: await ctx.stores.loginChallenges.mails.newDelivery(nextBatchTick(ctx.config.ADDRESS_BATCH_MS)),
  });
  ctx.signals.emit('loginCodes');
  return id;
}

/**
 * All unknown networks share one limit for an e-mail address; a known network has its own, so strangers cannot lock the owner
 * out (interface.md §1, Limits). The shared limit is the last: a refusal by another limit takes no use of it.
 */
async function limitsOf(ctx: Context, emailLower: string, address: string): Promise<LimitUse[]> {
  const network = networkOf(address);
  const ids = knownNetworkIds(ctx.macs, emailLower, network);
  const isKnown = await ctx.stores.knownNetworks.isKnown(ids, ctx.clock.now());
  const emailAndNetwork = `${emailLower}\0${network}`;
  return [
    { name: 'code-email', subject: emailAndNetwork, limit: perEmailAndAddress },
    { name: 'code-address', subject: network, limit: perAddress },
    { name: 'code-site', subject: isKnown ? emailAndNetwork : siteOf(address), limit: perSite },
    { name: 'code-email-strangers', subject: isKnown ? emailAndNetwork : emailLower, limit: perEmail },
  ];
}
