import type { JsonSchema, Reference } from './types.ts';

export const headers = {
  'X-Request-Id': header(
    'Id of the request: yours if you sent one, otherwise ours.',
    text(64, 'req_5f1d7a52c3e94b0d8a6f21c4'),
  ),
  RateLimit: header('Remaining requests of your rate limit (IETF draft 10).', text(256)),
  'RateLimit-Policy': header('Your rate limits (IETF draft 10).', text(256)),
  'Access-Control-Allow-Origin': header('Your origin, if it is allowed to call from a browser.', text(255)),
  'Retry-After': header('Seconds to wait before trying again.', {
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 2_147_483_647,
  }),
  Location: header('Path of the new object.', text(255)),
  Allow: header('Methods that this path supports.', text(64)),
  'WWW-Authenticate': header('Required credentials (RFC 9110 §11.6.1).', text(128)),
  'Idempotent-Replayed': header(
    '`true` if this is the first response, replayed for the same Idempotency-Key.',
    {
      type: 'string',
      const: 'true',
    },
  ),
};

export type HeaderName = keyof typeof headers;

/** The headers of every response and the given ones. */
export function headersWith(...own: HeaderName[]): Record<string, Reference> {
  const commonHeaders: HeaderName[] = [
    'X-Request-Id',
    'RateLimit',
    'RateLimit-Policy',
    'Access-Control-Allow-Origin',
  ];
  return Object.fromEntries(
    [...commonHeaders, ...own].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function header(description: string, schema: JsonSchema) {
  return { description, schema };
}

function text(maxLength: number, example?: string): JsonSchema {
  return { type: 'string', maxLength, ...(example === undefined ? {} : { examples: [example] }) };
}
