import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';

/** An answer that is the same for everyone, as long as the process runs. */
export type FixedAnswer = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** Gives a text its type, its tag, and five minutes in caches. */
export function fixedAnswer(type: string, body: string, headers: Record<string, string> = {}): FixedAnswer {
  return {
    body,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'public, max-age=300',
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
      ...headers,
    },
  };
}

/** Makes the answer on the first request; 304 where the caller has it already (Express compares the tag). */
export function serve(make: () => FixedAnswer): RequestHandler {
  let made: FixedAnswer | undefined;
  return (_req, res) => {
    made ??= make();
    res.set(made.headers).send(made.body);
  };
}
