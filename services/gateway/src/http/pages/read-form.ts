import { ApiError, maxBodyBytes } from '@casewatch/platform';
import type { Request } from 'express';
import type { Posted } from '../../pages/page.ts';
import { readBody } from '../read-body.ts';

/** Maximum time for a form to arrive, ms. */
const withinMs = 5_000;

/** @throws ApiError unsupported_media_type, payload_too_large, request_timeout */
export async function readForm(req: Request): Promise<Posted> {
  const body = await readBody(req, { withinMs, maxBytes: maxBodyBytes });
  if (body === null) return {};
  if (!req.is('application/x-www-form-urlencoded')) throw new ApiError('unsupported_media_type');
  const fields = new URLSearchParams(body.toString('utf8'));
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => [name, oneOrMore(fields.getAll(name))]),
  );
}

function oneOrMore(values: string[]): string | string[] {
  const [first = ''] = values;
  return values.length > 1 ? values : first;
}
