import { type Handler, networkOf, siteOf } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { callerNetworkMac } from '../../credentials/caller-address.ts';
import { knownNetworkIds } from '../../credentials/sign-in-place.ts';
import { nextBatchTick } from '../../domain/settlement.ts';
import { toEmailLower } from '../../domain/user.ts';
import { type LimitUse, takeLimits } from '../../limits/take-limits.ts';

const codeSeconds = 600;
const hourMs = 60 * 60 * 1000;
const perEmailAndAddress = { max: 5, windowMs: hourMs };
const perAddress = { max: 20, windowMs: hourMs };
/** Of IPv6 a /48, which has 65,536 networks. */
const perSite = { max: 100, windowMs: hourMs };
/** Over all networks from which nobody signed in as it lately. */
const perEmail = { max: 15, windowMs: hourMs };

/**
 * POST /v1/auth/login-code. Whether anybody has the address is looked up only when the mail is made, so that the answer,
 * the work and the time are the same.
 */
export function requestLoginCode(ctx: Context): Handler<'request_login_code'> {
  return async ({ body, address }) => {
    const emailLower = toEmailLower(body.email);
    const network = networkOf(address);
    const now = ctx.clock.now();
    const limits = await limitsOf(ctx, emailLower, address);
    await takeLimits(ctx, limits, 'Too many codes were requested; try again after Retry-After seconds.');
    const id = ctx.newId();
    await ctx.stores.loginChallenges.insert({
      _id: id,
      email_lower: emailLower,
      address_mac: callerNetworkMac(ctx.macs, network),
      pepper_id: ctx.macs.id,
      language: body.preferred_language ?? null,
      tries: 0,
      used_at: null,
      created_at: now,
      expires_at: new Date(now.getTime() + codeSeconds * 1000),
      delivery: await ctx.stores.loginChallenges.mails.newDelivery(nextBatchTick),
    });
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

/**
 * Strangers share one budget for an e-mail address; a network from which its owner signed in lately has one of its own, so
 * that strangers cannot lock the owner out (interface.md §1, Limits). It is the same work either way. The shared budget
 * comes last: what the others refuse uses nothing of it up.
 */
async function limitsOf(ctx: Context, emailLower: string, address: string): Promise<LimitUse[]> {
  const network = networkOf(address);
  const places = knownNetworkIds(ctx.macs, emailLower, network);
  const isKnown = await ctx.stores.knownNetworks.isKnown(places, ctx.clock.now());
  const here = `${emailLower}\0${network}`;
  return [
    { name: 'code-email', subject: here, limit: perEmailAndAddress },
    { name: 'code-address', subject: network, limit: perAddress },
    { name: 'code-site', subject: isKnown ? here : siteOf(address), limit: perSite },
    { name: 'code-email-strangers', subject: isKnown ? here : emailLower, limit: perEmail },
  ];
}
