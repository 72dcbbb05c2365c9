import {
  type LimitPolicy,
  type Operation,
  type OperationName,
  ordinaryDeadlineMs,
  type Principal,
} from '@casewatch/contracts';
import { ApiError, localsOf, toApiError, withDeadline } from '@casewatch/platform';
import type { Request, Response } from 'express';
import type { Context } from '../context.ts';
import { type AddressLimit, addressLimit } from '../limits/address-limit.ts';
import type { Verdict } from '../limits/limits.ts';
import { limitHeaders } from './limit-headers.ts';

type IncomingRequest = {
  req: Request;
  res: Response;
  row: Operation & { name: OperationName };
  address: string;
};

export type AuthorisedRequest = { readonly principal: Principal; readonly caller: string };

/**
 * Authenticates, authorises and applies the rate limit (interface.md §1, Order of checks).
 * Without valid credentials the address is counted and its 429 precedes the 401; with them the 429 follows the 403.
 */
export async function authoriseRequest(ctx: Context, visit: IncomingRequest): Promise<AuthorisedRequest> {
  const principal = await authenticate(ctx, visit);
  localsOf(visit.res).principal = principal;
  if (principal.kind === 'anonymous') return { principal, caller: await limitAnonymous(ctx, visit) };
  const [policy, id] = credentialOf(principal);
  const verdict = await ctx.limits.take(policy, id);
  setLimitHeaders(visit.res, verdict);
  const { row, address } = visit;
  ctx.refusals.authorise({ name: row.name, row, principal, address });
  assertAllowed(verdict);
  return { principal, caller: `${policy} ${id}` };
}

async function authenticate(ctx: Context, { req, res, row, address }: IncomingRequest): Promise<Principal> {
  const asking = askWithinLimit(addressLimit(ctx.limits, address), res, (beforeAsking) =>
    ctx.authenticate(req, row, address, beforeAsking),
  );
  // Identity may be asked two or three questions one after the other, each of which has almost the whole time. They go on for others.
  return await withDeadline(asking, ordinaryDeadlineMs, 'authentication');
}

/**
 * An address over its limit causes no question to identity: only what is cached is accepted. A question takes its place at
 * once, so that parallel ones are counted too; a good answer gives it back. An outage is not charged to the caller.
 */
export async function askWithinLimit<T>(
  limit: AddressLimit,
  res: Response,
  ask: (beforeAsking: () => void) => Promise<T>,
): Promise<T> {
  const held: (() => void)[] = [];
  const giveBack = () => {
    for (const end of held.splice(0)) end();
  };
  try {
    return await ask(() => {
      assertAllowed(limit.peek());
      held.push(limit.hold());
    });
  } catch (error) {
    giveBack();
    if (toApiError(error).status >= 500) setLimitHeaders(res, limit.peek());
    else await count(limit, res);
    throw error;
  } finally {
    giveBack();
  }
}

async function limitAnonymous(ctx: Context, { req, res, row, address }: IncomingRequest): Promise<string> {
  if (row.signatureHeaders) {
    const limit = addressLimit(ctx.limits, address, 'callbacks ');
    limitCallback(limit, res);
    if (!row.signatureHeaders.some((name) => req.get(name))) throw new ApiError('invalid_signature');
    return `callbacks ${limit.network}`;
  }
  const limit = addressLimit(ctx.limits, address);
  await count(limit, res);
  return `address ${limit.network}`;
}

/**
 * The service verifies the signature. Rejected callbacks count apart from other requests of the address, so that a busy
 * minute loses no delivery report. A callback takes its place at the beginning, and an accepted one gives it back.
 */
function limitCallback(limit: AddressLimit, res: Response): void {
  const verdict = limit.peek();
  if (!verdict.isAllowed) setLimitHeaders(res, verdict);
  assertAllowed(verdict);
  const giveBack = limit.hold();
  setLimitHeaders(res, limit.peek());
  res.once('close', () => {
    giveBack();
    const isAccepted = res.statusCode === 204 && res.writableFinished;
    if (!isAccepted && res.statusCode < 500) void limit.take();
  });
}

/** @throws ApiError rate_limited */
export async function count(limit: AddressLimit, res: Response): Promise<void> {
  const verdict = await limit.take();
  setLimitHeaders(res, verdict);
  assertAllowed(verdict);
}

function credentialOf(principal: Exclude<Principal, { kind: 'anonymous' }>): [LimitPolicy, string] {
  return principal.kind === 'partner'
    ? ['partner', String(principal.partner_id)]
    : ['user', String(principal.user_id)];
}

export function assertAllowed({ isAllowed, retryAfterS }: Verdict): void {
  if (!isAllowed) throw new ApiError('rate_limited', { retryAfterS });
}

export function setLimitHeaders(res: Response, verdict: Verdict): void {
  res.set(limitHeaders(verdict));
}
