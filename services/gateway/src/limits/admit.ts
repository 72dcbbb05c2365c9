import type { LimitPolicy, Operation, Principal } from '@casewatch/contracts';
import { ApiError, authorise, networkOf, toApiError } from '@casewatch/platform';
import type { Request, Response } from 'express';
import type { Context } from '../context.ts';
import { tellLimit } from './limit-headers.ts';
import type { Verdict } from './limits.ts';

type Visit = { req: Request; res: Response; row: Operation; address: string };

/**
 * Establishes who calls and whether they may, within their limit (interface.md §1, Order of checks). Without valid
 * credentials the address is counted, and its 429 comes before the 401; with them the credential alone is, and its 429
 * comes after the 403.
 * @throws ApiError rate_limited with Retry-After; what authentication and authorisation throw
 */
export async function admit(ctx: Context, visit: Visit): Promise<Principal> {
  const principal = await authenticate(ctx, visit);
  visit.res.locals.principal = principal;
  if (principal.kind === 'anonymous') {
    refuseBeyond(await countStranger(ctx, visit));
    return principal;
  }
  const verdict = await ctx.limits.take(...credentialOf(principal));
  tellLimit(visit.res, verdict);
  authorise(visit.row, principal);
  refuseBeyond(verdict);
  return principal;
}

async function authenticate(ctx: Context, visit: Visit): Promise<Principal> {
  try {
    return await ctx.authenticate(visit.req, visit.row, visit.address);
  } catch (error) {
    const isOurFault = toApiError(error).status >= 500;
    // Whether the credentials are valid is not known: nobody is charged for an outage.
    if (isOurFault) tellLimit(visit.res, ctx.limits.look('address', networkOf(visit.address)));
    else refuseBeyond(await countAddress(ctx, visit, networkOf(visit.address)));
    throw error;
  }
}

/**
 * A callback's credential is its signature, which the service judges: only those refused count, and apart from what
 * else comes from the address, so that nobody's delivery reports are lost to a busy minute.
 */
async function countStranger(ctx: Context, visit: Visit): Promise<Verdict> {
  const network = networkOf(visit.address);
  if (!visit.row.path.startsWith('/v1/callbacks/')) return await countAddress(ctx, visit, network);
  const callers = `callbacks ${network}`;
  const verdict = ctx.limits.look('address', callers);
  tellLimit(visit.res, verdict);
  visit.res.once('finish', () => {
    if (visit.res.statusCode === 403) void ctx.limits.take('address', callers);
  });
  return verdict;
}

async function countAddress(ctx: Context, { res }: Visit, network: string): Promise<Verdict> {
  const verdict = await ctx.limits.take('address', network);
  tellLimit(res, verdict);
  return verdict;
}

/** A partner is counted as one, whichever of its keys it uses. */
function credentialOf(principal: Exclude<Principal, { kind: 'anonymous' }>): [LimitPolicy, string] {
  return principal.kind === 'partner'
    ? ['partner', String(principal.partner_id)]
    : ['user', String(principal.user_id)];
}

function refuseBeyond({ isAllowed, moreInS }: Verdict): void {
  if (!isAllowed) throw new ApiError('rate_limited', { retryAfterS: moreInS });
}
