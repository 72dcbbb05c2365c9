import type { JsonSchema, Reference } from './types.ts';

/** Headers of answers. */
export const headers = {
  'X-Request-Id': header(
    "The request's id: yours where you sent one, else made.",
    text(64, 'req_5f1d7a52c3e94b0d8a6f21c4'),
  ),
  RateLimit: header('What is left of the limit that holds for you (IETF draft 10).', text(256)),
  'RateLimit-Policy': header('The limits that hold for you (IETF draft 10).', text(256)),
  'Access-Control-Allow-Origin': header('Your origin, where browsers may call from it.', text(255)),
  'Retry-After': header('Seconds until it is worth trying again.', {
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 2_147_483_647,
  }),
  Location: header('Path of what was created.', text(255)),
  Allow: header('The methods that are supported here.', text(64)),
  'WWW-Authenticate': header('The credentials that are missing (RFC 9110 §11.6.1).', text(128)),
  'Idempotent-Replayed': header('`true` where this is the first answer given again.', {
    type: 'string',
    const: 'true',
  }),
};

export type HeaderName = keyof typeof headers;

/** The headers of an answer: what every answer has, and its own. */
export function headersWith(...own: HeaderName[]): Record<string, Reference> {
  const everywhere: HeaderName[] = [
    'X-Request-Id',
    'RateLimit',
    'RateLimit-Policy',
    'Access-Control-Allow-Origin',
  ];
  return Object.fromEntries(
    [...everywhere, ...own].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function header(description: string, schema: JsonSchema) {
  return { description, schema };
}

function text(maxLength: number, example?: string): JsonSchema {
  return { type: 'string', maxLength, ...(example === undefined ? {} : { examples: [example] }) };
}
