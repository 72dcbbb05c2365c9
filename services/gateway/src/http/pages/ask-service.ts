import {
  type Fault,
  isErrorCode,
  type Operation,
  operations,
  type Principal,
  problem,
  type Success,
} from '@casewatch/contracts';
import { ApiError, authorise, principalHeader, timeLeftHeader } from '@casewatch/platform';
import type { Request } from 'express';
import type { ForwardedRequest, ServiceAnswer } from '../../clients/service-client.ts';
import type { Context } from '../../context.ts';
import { addressLimit } from '../../limits/address-limit.ts';
import type { Ask } from '../../pages/page.ts';
import { contextHeaders } from '../forward.ts';

export type Asker = {
  readonly principal: Principal;
  readonly address: string;
  /** Name of the caller for its concurrency limit. */
  readonly caller: string;
  readonly signal: AbortSignal;
};

type Parts = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string | undefined;
};

/** Calls the services as the gateway does for the caller's own requests: with a signed principal. */
export function askServices(ctx: Context, asker: Asker): Ask {
  return async (name, input) => {
    const row: Operation = operations[name];
    // The principal of anonymous operations is anonymous.
    const principal: Principal = row.who.includes(asker.principal.kind)
      ? asker.principal
      : { kind: 'anonymous' };
    authorise(row, principal);
    const service = ctx.services.get(row.service);
    if (!service) throw new ApiError('service_unavailable', { detail: `no address for ${row.service}` });
    const waitMs = row.deadlineMs / 2;
    const end = await ctx.concurrency.enter(asker.caller, row, { controller: asker, waitMs });
    try {
      const signal = AbortSignal.any([asker.signal, AbortSignal.timeout(row.deadlineMs)]);
      const request = requestOf(ctx, { row, asker: { ...asker, principal }, parts: (input ?? {}) as Parts });
      return resultOf(await service.ask(request, signal)) as Success<typeof name>;
    } finally {
      end();
    }
  };
}

/** For pages of people who are not signed in. */
export function askAnonymously(ctx: Context, req: Request, signal: AbortSignal): Ask {
  const address = req.ip ?? 'unknown';
  return askServices(ctx, {
    principal: { kind: 'anonymous' },
    address,
    caller: `address ${addressLimit(ctx.limits, address).network}`,
    signal,
  });
}

type Requested = { row: Operation; asker: Asker; parts: Parts };

function requestOf(ctx: Context, { row, asker, parts }: Requested): ForwardedRequest {
  const { principal, address } = asker;
  const path = pathOf(row.path, parts.params ?? {});
  const write = row.method === 'GET' ? undefined : { method: row.method, path };
  const hasBody = parts.body !== undefined;
  return {
    method: row.method,
    path: path + queryOf(parts.query ?? {}),
    headers: [
      ...contextHeaders(),
      ...['accept', 'application/json'],
      ...[principalHeader, ctx.sign({ principal, address }, row.service, write)],
      ...[timeLeftHeader, String(row.deadlineMs)],
      ...(hasBody ? ['content-type', 'application/json'] : []),
      ...(parts.idempotencyKey ? ['idempotency-key', parts.idempotencyKey] : []),
    ],
    body: hasBody ? Buffer.from(JSON.stringify(parts.body)) : null,
    waitMs: row.deadlineMs / 2,
  };
}

function pathOf(template: string, params: Record<string, unknown>): string {
  return template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function queryOf(query: Record<string, unknown>): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (sent.length === 0) return '';
  return `?${new URLSearchParams(sent.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

/** @throws ApiError the refusal of the service, with its sentence and its faults */
function resultOf({ status, body, retryAfterS }: ServiceAnswer): unknown {
  const value: unknown = body === '' ? null : JSON.parse(body);
  if (status < 400) return value;
  const { data } = problem.loose().safeParse(value);
  if (!data || !isErrorCode(data.code)) {
    throw new ApiError('service_unavailable', { detail: `a service answered ${status}` });
  }
  const faults = data.errors as Fault[];
  const { users } = data;
  throw new ApiError(data.code, {
    message: data.message,
    faults,
    ...(users !== undefined && { extra: { users } }),
    ...(retryAfterS !== undefined && { retryAfterS }),
  });
}
