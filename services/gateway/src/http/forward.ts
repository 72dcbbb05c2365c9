import type { Operation, OperationName, Principal } from '@casewatch/contracts';
import {
  ApiError,
  type CallContext,
  currentContext,
  maxBodyBytes,
  networkHeader,
  principalHeader,
} from '@casewatch/platform';
import type { Request, Response } from 'express';
import type { Context } from '../context.ts';
import { admit } from '../limits/admit.ts';
import { checkAccept } from './check-accept.ts';

/** What a client's request may tell a service; everything else stays outside. */
const passedHeaders = [
  'accept',
  'accept-language',
  'content-type',
  'content-length',
  'idempotency-key',
  // What a browser fetches ahead proves no address.
  'purpose',
  'sec-purpose',
  'x-twilio-signature',
];

/** Lets in one operation's request, within its caller's limit, and streams it to the service that answers it. */
export function forward(ctx: Context, row: Operation & { name: OperationName }) {
  return async (req: Request, res: Response): Promise<void> => {
    res.locals.operation = row.name;
    const started = performance.now();
    const address = req.ip ?? 'unknown';
    const principal = await admit(ctx, { req, res, row, address });
    checkSize(req);
    checkAccept(req, row);
    const service = ctx.services.get(row.service);
    if (!service) throw new ApiError('service_unavailable', { detail: `no address for ${row.service}` });
    const hasBody = req.get('content-length') !== undefined || req.get('transfer-encoding') !== undefined;
    await service.forward(
      {
        method: req.method,
        path: req.originalUrl,
        headers: headersFor(ctx, { req, row, principal, address }),
        body: hasBody ? req : null,
        // What authentication took is part of what the caller waits.
        deadlineMs: Math.max(100, row.deadlineMs - (performance.now() - started)),
      },
      res,
    );
  };
}

/** A body of unknown length is cut off by the service, at the same limit. */
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
