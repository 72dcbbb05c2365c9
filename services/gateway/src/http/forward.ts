import type { Operation, OperationName, Principal } from '@casewatch/contracts';
import {
  ApiError,
  type CallContext,
  currentContext,
  maxBodyBytes,
  networkHeader,
  principalHeader,
  timeLeftHeader,
} from '@casewatch/platform';
import type { Request, Response } from 'express';
import { untilGivenUp } from '../clients/give-up.ts';
import type { Context } from '../context.ts';
import { admit } from './admit.ts';
import { checkAccept } from './check-accept.ts';
import { readBody } from './read-body.ts';

/** What a client's request may tell a service; everything else stays outside. */
const passedHeaders = [
  'accept',
  'accept-language',
  'content-type',
  'idempotency-key',
  // What a browser fetches ahead proves no address.
  'purpose',
  'sec-purpose',
  'x-twilio-signature',
];

/** Longest wait for a request's body, from its head on, ms. */
const bodyMs = 2_000;
/** Longest time that a client takes to receive an answer, ms: as long as Node gives a request to arrive. */
const receiveMs = 30_000;
/** What is left of a wait at least, where authentication took it up, ms. */
const leastMs = 100;

/** Lets in one operation's request, within its caller's limits, and passes it on to the service that answers it. */
export function forward(ctx: Context, row: Operation & { name: OperationName }) {
  return async (req: Request, res: Response): Promise<void> => {
    res.locals.operation = row.name;
    const started = performance.now();
    const address = req.ip ?? 'unknown';
    const { principal, caller } = await admit(ctx, { req, res, row, address });
    checkSize(req);
    checkAccept(req, row);
    const service = ctx.services.get(row.service);
    if (!service) throw new ApiError('service_unavailable', { detail: `no address for ${row.service}` });
    // What authentication took is part of what the caller waits.
    const left = (ms: number) => Math.max(leastMs, ms - (performance.now() - started));
    const waits = { answerMs: left(row.deadlineMs), receiveMs };
    await untilGivenUp(res, waits, async (patience) => {
      const body = await readBody(req, left(bodyMs));
      const end = await ctx.underWay.begin(caller, row, patience.signal);
      try {
        const headers = headersFor(ctx, { req, row, principal, address });
        headers[timeLeftHeader] = String(Math.ceil(left(row.deadlineMs)));
        await service.forward({ method: req.method, path: req.originalUrl, headers, body }, res, patience);
      } finally {
        end();
      }
    });
  };
}

/** A body of unknown length is refused as it comes. */
function checkSize(req: Request): void {
  if (Number(req.get('content-length') ?? 0) > maxBodyBytes) throw new ApiError('payload_too_large');
}

type Sender = { req: Request; row: Operation; principal: Principal; address: string };

function headersFor(ctx: Context, { req, row, principal, address }: Sender): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of passedHeaders) {
    const value = req.get(name);
    if (value !== undefined) headers[name] = value;
  }
  const context = currentContext();
  if (context) Object.assign(headers, contextFields(context));
  const isWrite = req.method !== 'GET' && req.method !== 'HEAD';
  const call = isWrite ? { method: req.method, path: req.path } : undefined;
  headers[principalHeader] = ctx.sign({ principal, address }, row.service, call);
  return headers;
}

function contextFields({ request_id, traceparent, network }: CallContext): Record<string, string> {
  return {
    'x-request-id': request_id,
    traceparent,
    ...(network !== undefined && { [networkHeader]: network }),
  };
}
