import type { Operation, OperationName, Principal } from '@casewatch/contracts';
import {
  ApiError,
  currentContext,
  inSpan,
  localsOf,
  maxBodyBytes,
  networkHeader,
  type OperationHandler,
  principalHeader,
  timeLeftHeader,
} from '@casewatch/platform';
import type { Request } from 'express';
import { withTimeouts } from '../clients/with-timeouts.ts';
import type { Context } from '../context.ts';
import { authoriseRequest } from './authorise-request.ts';
import { admitBody, checkCoding, checkSize, readBody } from './read-body.ts';

const passedHeaders = [
  'accept',
  'accept-language',
  'content-type',
  'idempotency-key',
  'purpose',
  'sec-purpose',
];

/** Maximum time for the body to arrive, ms. */
const bodyMs = 2_000;
/** The same for a large body, ms: 5 MiB take as long at 2 Mbit/s. */
const largeBodyMs = 20_000;
/** Maximum time for a client to receive a response, ms: as in Node for requests. */
const receiveMs = 30_000;
/** The same for a file of any number of rows, ms. */
export const receiveFileMs = 15 * 60_000;
/** Minimum time for the service after a slow authentication, ms. */
const minMs = 100;

export function forward(ctx: Context, row: Operation & { name: OperationName }): OperationHandler {
  const span = { name: `forward ${row.name}`, kind: 'client' } as const;
  const passed = [...passedHeaders, ...(row.signatureHeaders ?? [])];
  return async (req, res) => {
    localsOf(res).operation = row.name;
    const started = performance.now();
    const address = req.ip ?? 'unknown';
    const maxBytes = row.signedBody?.maxBytes ?? row.maxBodyBytes ?? maxBodyBytes;
    const arriveMs = row.maxBodyBytes === undefined ? bodyMs : largeBodyMs;
    const { principal, caller } = await authoriseRequest(ctx, { req, res, row, address });
    checkSize(req, maxBytes);
    if (row.body ?? row.signedBody) checkCoding(req);
    checkAccept(req, row);
    const service = ctx.services.get(row.service);
    if (!service) throw new ApiError('service_unavailable', { detail: `no address for ${row.service}` });
    const remainingMs = (ms: number) => Math.max(minMs, ms - (performance.now() - started));
    const waits = { answerMs: remainingMs(row.deadlineMs), receiveMs: row.file ? receiveFileMs : receiveMs };
    await withTimeouts(res, waits, async (timeouts) => {
      const isAnonymous = principal.kind === 'anonymous';
      const giveUp = (error: Error) => timeouts.end(error);
      const admission = admitBody(ctx, req, { caller, isAnonymous, maxBytes, giveUp });
      try {
        const reading = { withinMs: remainingMs(arriveMs), maxBytes, controller: timeouts };
        const body = await readBody(req, res, reading);
        admission.received();
        const wait = { controller: timeouts, waitMs: remainingMs(row.deadlineMs / 2) };
        const end = await ctx.concurrency.enter(caller, row, wait);
        try {
          await inSpan(span, () => {
            const headers = headersFor(ctx, { req, row, passed, principal, address });
            headers.push(timeLeftHeader, String(Math.ceil(remainingMs(row.deadlineMs))));
            const { method, url: path } = req;
            const request = { method, path, headers, body, waitMs: wait.waitMs };
            return service.forward(request, res, timeouts);
          });
        } finally {
          end();
        }
      } finally {
        admission.end();
      }
    });
  };
}

/** Operations without a response body accept any `Accept` header, as do those that take any body, and files, whose path says the type. */
function checkAccept(req: Request, { success, page, file, anyBody }: Operation): void {
  if (success.body === null || file || anyBody) return;
  const accept = req.headers.accept;
  // What most programs send needs no parsing.
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return;
  const types = ['application/json', ...(page ? ['text/html'] : [])];
  if (req.accepts(types) !== false) return;
  throw new ApiError('not_acceptable', {
    message: `Responses are ${types.join(' or ')} only; change the Accept header.`,
  });
}

type Sender = {
  req: Request;
  row: Operation;
  passed: readonly string[];
  principal: Principal;
  address: string;
};

/** Names and values in turn. */
function headersFor(ctx: Context, { req, row, passed, principal, address }: Sender): string[] {
  const headers: string[] = [];
  for (const name of passed) {
    const value = req.headers[name];
    if (typeof value === 'string') headers.push(name, value);
  }
  headers.push(...contextHeaders());
  const isWrite = req.method !== 'GET' && req.method !== 'HEAD';
  const call = isWrite ? { method: req.method, path: req.path } : undefined;
  headers.push(principalHeader, ctx.sign({ principal, address }, row.service, call));
  return headers;
}

/** Request id and trace of this request, for the service: names and values in turn. */
export function contextHeaders(): string[] {
  const context = currentContext();
  if (context === undefined) return [];
  const { request_id, traceparent, network } = context;
  const headers = ['x-request-id', request_id, 'traceparent', traceparent];
  if (network !== undefined) headers.push(networkHeader, network);
  return headers;
}
