import { ApiError, checkCharset, maxBodyBytes } from '@casewatch/platform';
import type { Request, Response } from 'express';
import type { Context } from '../../context.ts';
import { addressLimit } from '../../limits/address-limit.ts';
import type { Posted } from '../../pages/page.ts';
import { admitBody, checkCoding, checkSize, readBody } from '../read-body.ts';

/** Maximum time for a form to arrive, ms. */
const withinMs = 5_000;

type Sender = { readonly ctx: Context; readonly req: Request; readonly res: Response };

/** The form of a caller without a session. @throws ApiError as `readFormOf` */
export async function readForm(sender: Sender): Promise<Posted> {
  const { network } = addressLimit(sender.ctx.limits, sender.req.ip ?? 'unknown');
  return await readFormOf(sender, { caller: `address ${network}`, isAnonymous: true });
}

/**
 * @param of the caller as in `CallerConcurrency`
 * @throws ApiError unsupported_media_type, payload_too_large, request_timeout; rate_limited, service_unavailable: too many bodies
 */
export async function readFormOf(
  { ctx, req, res }: Sender,
  of: { readonly caller: string; readonly isAnonymous: boolean },
): Promise<Posted> {
  checkSize(req, maxBodyBytes);
  checkCoding(req);
  const controller = new AbortController();
  const giveUp = (error: Error) => controller.abort(error);
  const onClose = () => giveUp(new ApiError('request_timeout', { detail: 'the client left' }));
  const admission = admitBody(ctx, req, { ...of, maxBytes: maxBodyBytes, giveUp });
  res.once('close', onClose);
  try {
    const body = await readBody(req, res, { withinMs, maxBytes: maxBodyBytes, controller });
    return body === null ? {} : fieldsOf(body, req);
  } finally {
    res.off('close', onClose);
    admission.end();
  }
}

function fieldsOf(body: Buffer, req: Request): Posted {
  if (!req.is('application/x-www-form-urlencoded')) throw new ApiError('unsupported_media_type');
  checkCharset(req.get('content-type'));
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    const former = fields.get(name);
    if (former === undefined) fields.set(name, value);
    else if (typeof former === 'string') fields.set(name, [former, value]);
    else former.push(value);
  }
  return Object.fromEntries(fields);
}
