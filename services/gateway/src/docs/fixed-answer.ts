import { createHash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import type { RequestHandler } from 'express';

export type FixedAnswer = {
  readonly body: string;
  readonly compressed: Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

/** The tag is weak because both encodings share it. */
export function fixedAnswer(type: string, body: string, headers: Record<string, string> = {}): FixedAnswer {
  return {
    body,
    compressed: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'public, max-age=300',
      etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
      ...headers,
    },
  };
}

/** Express compares the tag and answers 304. */
export function serve(make: () => FixedAnswer): RequestHandler {
  let answer: FixedAnswer | undefined;
  return (req, res) => {
    answer ??= make();
    res.set(answer.headers).vary('Accept-Encoding');
    if (!req.acceptsEncodings('br')) return void res.send(answer.body);
    res.set('content-encoding', 'br').send(answer.compressed);
  };
}
