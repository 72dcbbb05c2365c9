import { createHash } from 'node:crypto';
import {
  type Fault,
  isErrorCode,
  type Operation,
  type OperationName,
  operations,
  type Principal,
  problem,
  type Success,
} from '@casewatch/contracts';
import {
  ApiError,
  callerOf,
  isSharedRead,
  maxReads,
  principalHeader,
  readsPath,
  readsReply,
  type readsRequest,
  timeLeftHeader,
} from '@casewatch/platform';
import type { Request } from 'express';
import type { z } from 'zod';
import type { ForwardedRequest, ServiceAnswer } from '../../clients/service-client.ts';
import type { Context } from '../../context.ts';
import { addressLimit } from '../../limits/address-limit.ts';
import type { Ask } from '../../pages/page.ts';
import { contextHeaders } from '../forward.ts';
import { createLook, type Look } from './second-look.ts';

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
  file?: Buffer;
  idempotencyKey?: string | undefined;
};

/** Longest time that a service needs to answer for the reads that ran out of time, ms. */
const answeringMs = 250;

/**
 * Calls the services as the gateway does for the caller's own requests: with a signed principal. Reads that a page begins
 * together go to each service in one request; each fails alone.
 */
export function askServices(ctx: Context, asker: Asker, look: Look = createLook(undefined)): Ask {
  const together = gatherReads(look, async (reads) => await readTogether(ctx, asker, reads));
  return async (name, input) => {
    const row: Operation = operations[name];
    const principal = callerOf(row, asker.principal);
    ctx.refusals.authorise({ name, row, principal, address: asker.address });
    const { idempotencyKey: formKey, ...given } = (input ?? {}) as Parts;
    const parts = { ...given, ...(formKey && { idempotencyKey: keyOf(formKey, name, given) }) };
    const isShared = isSharedRead(row);
    if (!isShared) look.ask();
    const answer = isShared
      ? await together({ name, row, parts })
      : await askOne(ctx, { ...asker, principal }, { row, parts });
    return resultOf(answer) as Success<typeof name>;
  };
}

/**
 * A form has one key for all that it makes, however it is corrected. So the key of a request is also of what is sent: the same form sent
 * twice makes one thing, and who goes back and corrects a word makes another one.
 */
function keyOf(formKey: string, name: OperationName, { params, query, body, file }: Parts): string {
  return createHash('sha256')
    .update(JSON.stringify([formKey, name, params, body, ...(file ? [query] : [])]))
    .update(file ?? '')
    .digest('base64url');
}

type Read = { readonly name: OperationName; readonly row: Operation; readonly parts: Parts };
type Waiting = Read & Pick<PromiseWithResolvers<ServiceAnswer>, 'resolve' | 'reject'>;

/** Gathers the reads of one service that begin before the code of the page waits for the first of them. */
function gatherReads(look: Look, send: (reads: readonly Read[]) => Promise<readonly ServiceAnswer[]>) {
  let waiting: Waiting[] = [];

  const requestOf = (reads: readonly Waiting[]) => ({
    reads,
    settle(answers: readonly ServiceAnswer[]) {
      for (const [i, { resolve }] of reads.entries()) resolve(answers[i] as ServiceAnswer);
    },
    fail(error: unknown) {
      for (const { reject } of reads) reject(error);
    },
  });

  function sendAll(): void {
    const begun = waiting;
    waiting = [];
    const requests = [...Map.groupBy(begun, ({ row }) => row.service).values()].flatMap((reads) =>
      Array.from({ length: Math.ceil(reads.length / maxReads) }, (_, i) =>
        requestOf(reads.slice(i * maxReads, (i + 1) * maxReads)),
      ),
    );
    void look.send(requests, send);
  }

  return async (read: Read): Promise<ServiceAnswer> => {
    const { promise, resolve, reject } = Promise.withResolvers<ServiceAnswer>();
    if (waiting.length === 0) queueMicrotask(sendAll);
    waiting.push({ ...read, resolve, reject });
    return await promise;
  };
}

/** @throws ApiError for all of them, if the service does not answer each */
async function readTogether(ctx: Context, asker: Asker, reads: readonly Read[]): Promise<ServiceAnswer[]> {
  const [first] = reads;
  if (!first) return [];
  const { row, parts } = first;
  if (reads.length === 1)
    return [await askOne(ctx, { ...asker, principal: callerOf(row, asker.principal) }, { row, parts })];
  const request: z.input<typeof readsRequest> = {
    reads: reads.map(({ name, parts }) => ({
      operation: name,
      params: textsOf(parts.params),
      query: textsOf(parts.query),
    })),
  };
  const { service, deadlineMs } = row;
  const answer = await askOne(ctx, asker, {
    row: { service, deadlineMs, method: 'POST', path: readsPath },
    parts: { body: request },
    answeringMs,
  });
  const { data } = readsReply.safeParse(jsonOf(answer));
  if (data?.answers.length === reads.length)
    return data.answers.map(({ retry_after_s, ...same }) => ({ ...same, retryAfterS: retry_after_s }));
  // A refusal of all.
  if (answer.status >= 400) return reads.map(() => answer);
  throw new ApiError('service_unavailable', { detail: `${service} did not answer each read` });
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

type Asked = {
  readonly row: Pick<Operation, 'service' | 'method' | 'path' | 'deadlineMs'>;
  readonly parts: Parts;
  /** Part of the time that the service keeps for its answer, ms. */
  readonly answeringMs?: number;
};

async function askOne(ctx: Context, asker: Asker, asked: Asked): Promise<ServiceAnswer> {
  const { service, deadlineMs } = asked.row;
  const client = ctx.services.get(service);
  if (!client) throw new ApiError('service_unavailable', { detail: `no address for ${service}` });
  const end = await ctx.concurrency.enter(asker.caller, asked.row, {
    controller: asker,
    waitMs: deadlineMs / 2,
  });
  try {
    const signal = AbortSignal.any([asker.signal, AbortSignal.timeout(deadlineMs)]);
    return await client.ask(requestOf(ctx, asker, asked), signal);
  } finally {
    end();
  }
}

function requestOf(
  ctx: Context,
  { principal, address }: Asker,
  { row, parts, answeringMs = 0 }: Asked,
): ForwardedRequest {
  const path = pathOf(row.path, parts.params ?? {});
  const write = row.method === 'GET' ? undefined : { method: row.method, path };
  const { file } = parts;
  const hasBody = parts.body !== undefined || file !== undefined;
  return {
    method: row.method,
    path: path + queryOf(parts.query ?? {}),
    headers: [
      ...contextHeaders(),
      ...['accept', 'application/json'],
      ...[principalHeader, ctx.sign({ principal, address }, row.service, write)],
      ...[timeLeftHeader, String(row.deadlineMs - answeringMs)],
      ...(hasBody ? ['content-type', file ? 'text/csv' : 'application/json'] : []),
      ...(parts.idempotencyKey ? ['idempotency-key', parts.idempotencyKey] : []),
    ],
    body: hasBody ? (file ?? Buffer.from(JSON.stringify(parts.body))) : null,
    waitMs: row.deadlineMs / 2,
  };
}

function pathOf(template: string, params: Record<string, unknown>): string {
  return template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function queryOf(query: Record<string, unknown>): string {
  const sent = new URLSearchParams(textsOf(query)).toString();
  return sent === '' ? '' : `?${sent}`;
}

/** Values as they stand in an address; an empty one is left out. */
function textsOf(values: Record<string, unknown> = {}): Record<string, string> {
  const sent = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(sent.map(([name, value]) => [name, String(value)]));
}

function jsonOf({ body }: ServiceAnswer): unknown {
  return body === '' ? null : JSON.parse(body);
}

/** @throws ApiError the refusal of the service, with its sentence and its faults */
function resultOf(answer: ServiceAnswer): unknown {
  const { status, retryAfterS } = answer;
  const value = jsonOf(answer);
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
