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
export async function readFormOf(sender: Sender, of: FormSender): Promise<Posted> {
  const body = await readBytes(sender, of, { withinMs, maxBytes: maxBodyBytes });
  return body === null ? {} : fieldsOf(body, sender.req);
}

type FormSender = { readonly caller: string; readonly isAnonymous: boolean };

async function readBytes(
  { ctx, req, res }: Sender,
  of: FormSender,
  limits: { readonly withinMs: number; readonly maxBytes: number },
): Promise<Buffer | null> {
  checkSize(req, limits.maxBytes);
  checkCoding(req);
  const controller = new AbortController();
  const giveUp = (error: Error) => controller.abort(error);
  const onClose = () => giveUp(new ApiError('request_timeout', { detail: 'the client left' }));
  const admission = admitBody(ctx, req, { ...of, maxBytes: limits.maxBytes, giveUp });
  res.once('close', onClose);
  try {
    return await readBody(req, res, { ...limits, controller });
  } finally {
    res.off('close', onClose);
    admission.end();
  }
}

/** Largest file of an import (interface.md §1) as base64 in a hidden field, and the other fields. */
const maxUploadBytes = 8 * 1024 * 1024;
/** 8 MiB take as long at 3 Mbit/s, ms. */
const uploadWithinMs = 22_000;

/**
 * A form with a file (RFC 7578), read by Node's own parser. The bytes of a file are base64, because nobody knows its encoding yet; a
 * field without a file is left out.
 * @throws ApiError as `readFormOf`
 */
export async function readUploadOf(sender: Sender, of: FormSender): Promise<Posted> {
  const { req } = sender;
  const body = await readBytes(sender, of, { withinMs: uploadWithinMs, maxBytes: maxUploadBytes });
  if (body === null) return {};
  const type = req.get('content-type') ?? '';
  if (!req.is('multipart/form-data')) throw otherType();
  const fields = new Map<string, string>();
  const data = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch((cause: unknown) => {
      throw new ApiError('validation_failed', {
        message: 'The form did not arrive whole. Send it again.',
        cause,
      });
    });
  for (const [name, value] of data) {
    if (typeof value === 'string') fields.set(name, value);
    else if (value.size > 0) fields.set(name, Buffer.from(await value.arrayBuffer()).toString('base64'));
  }
  return Object.fromEntries(fields);
}

function fieldsOf(body: Buffer, req: Request): Posted {
  if (!req.is('application/x-www-form-urlencoded')) throw otherType();
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

/** The sentence of the catalogue is for programs, which send JSON. */
function otherType(): ApiError {
  return new ApiError('unsupported_media_type', {
    message: 'This form came in a way that the page does not know. Open the page and send it again.',
  });
}
