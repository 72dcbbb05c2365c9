import { parse as parseFields } from 'node:querystring';
import type { Operation } from '@casewatch/contracts';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { ApiError } from '../errors.ts';
import { checkCharset, checkContentCoding } from './body-encoding.ts';
import { parseJson } from './json-body.ts';

/** Largest JSON body, bytes (interface.md §1). */
export const maxBodyBytes = 16 * 1024;

const mebibyte = 1024 * 1024;

/** @param maxBytes that the body may have */
export function bodyTooLarge(maxBytes: number): ApiError {
  const size = maxBytes < mebibyte ? `${maxBytes / 1024} KiB` : `${maxBytes / mebibyte} MiB`;
  return new ApiError('payload_too_large', { message: `The body is larger than ${size}.` });
}

/** Most fields of a form. */
const maxFields = 1_000;

const json = 'application/json';
const csv = 'text/csv';
const form = 'application/x-www-form-urlencoded';

// A body with a content coding is 415: express would unpack it.
const raw = (type: string | string[], limit: number) => express.raw({ limit, type, inflate: false });

/** Reads bodies of one operation into `req.body`: the bytes of a signed body or a file, otherwise its fields. @throws ApiError */
export function createBodyReader({
  body,
  signedBody,
  consumes: types = [json],
  maxBodyBytes: maxBytes = maxBodyBytes,
}: Pick<Operation, 'body' | 'signedBody' | 'consumes' | 'maxBodyBytes'>) {
  const reader = raw([...types], signedBody?.maxBytes ?? maxBytes);
  return async (req: Request, res: Response): Promise<void> => {
    if (!(body ?? signedBody)) return;
    if (!hasBody(req)) {
      // An empty file is one too, and no JSON without fields. Express names no type where there is no body.
      if (types.includes(csv) && isCsv(req.get('content-type'))) req.body = Buffer.alloc(0);
      return;
    }
    if (!req.is([...types])) {
      throw new ApiError('unsupported_media_type', { message: `Send the body as ${types.join(' or ')}.` });
    }
    checkContentCoding(req.get('content-encoding'));
    await run(reader, req, res);
    // The handler finds out how a file is encoded: programs that write one seldom say so, or say it wrong.
    if (signedBody || !Buffer.isBuffer(req.body) || req.is(csv)) return;
    const parse = req.is(form) ? parseForm : parseJson;
    req.body = parse(req.body, req.get('content-type'));
  };
}

/** A field that was sent several times is an array. @throws ApiError unsupported_media_type, payload_too_large */
function parseForm(bytes: Buffer, contentType: string | undefined): Record<string, unknown> {
  checkCharset(contentType);
  const text = bytes.toString('utf8');
  if (text.split('&').length > maxFields) {
    throw new ApiError('payload_too_large', { message: `Send at most ${maxFields} fields.` });
  }
  return { ...parseFields(text) };
}

function isCsv(contentType = ''): boolean {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() === csv;
}

function hasBody({ headers }: Request): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

function run(middleware: RequestHandler, req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    middleware(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
  });
}
