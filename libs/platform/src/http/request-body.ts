import type { Operation } from '@casewatch/contracts';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { ApiError } from '../errors.ts';
import { parseJson } from './json-body.ts';

/** Largest JSON body, bytes (interface.md §1). */
export const maxBodyBytes = 16 * 1024;

const json = 'application/json';

const parsers = {
  [json]: express.raw({ limit: maxBodyBytes, type: json }),
  'application/x-www-form-urlencoded': express.urlencoded({ limit: maxBodyBytes, extended: false }),
};

/** Reads bodies of one operation into `req.body`: the bytes of a signed body, otherwise its fields. @throws ApiError */
export function createBodyReader({ body, signedBody, consumes: types = [json] }: Operation) {
  const readers = signedBody
    ? [express.raw({ limit: signedBody.maxBytes, type: json })]
    : types.map((type) => parsers[type]);
  return async (req: Request, res: Response): Promise<void> => {
    if (!(body ?? signedBody) || !hasBody(req)) return;
    if (!req.is([...types])) {
      throw new ApiError('unsupported_media_type', { message: `Send the body as ${types.join(' or ')}.` });
    }
    for (const reader of readers) await run(reader, req, res);
    if (!signedBody && Buffer.isBuffer(req.body)) req.body = parseJson(req.body, req.get('content-type'));
  };
}

function hasBody({ headers }: Request): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

function run(middleware: RequestHandler, req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    middleware(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
  });
}
