import { hash } from 'node:crypto';
import { ApiError } from '@casewatch/platform';
import type { Request } from 'express';

export type Credentials = {
  readonly keys: { readonly api_key: string; readonly secret_sha256: string } | null;
  readonly token: string | null;
};

/** @throws ApiError invalid_api_key, invalid_token */
export function readCredentials(req: Request): Credentials {
  return { keys: readKeys(req), token: readToken(req) };
}

function readKeys(req: Request): Credentials['keys'] {
  const key = req.get('x-api-key');
  const secret = req.get('x-api-secret');
  if (key === undefined && secret === undefined) return null;
  if (!key || !secret) {
    throw new ApiError('invalid_api_key', { message: 'Send X-API-KEY and X-API-SECRET together.' });
  }
  if (key.length > 128 || secret.length > 256) throw new ApiError('invalid_api_key');
  return { api_key: key, secret_sha256: hash('sha256', secret) };
}

function readToken(req: Request): string | null {
  const header = req.get('authorization');
  if (header === undefined) return null;
  // RFC 6750 §2.1: the scheme is case-insensitive, the token is b64token.
  const match = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header);
  if (!match?.[1] || match[1].length > 4096) throw new ApiError('invalid_token');
  return match[1];
}
