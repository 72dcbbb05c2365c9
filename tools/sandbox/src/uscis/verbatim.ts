import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Response } from 'express';
import { z } from 'zod';

const headers = z
  .record(z.string(), z.union([z.string(), z.array(z.string())]))
  .superRefine((all, context) => {
    for (const [name, value] of Object.entries(all)) {
      try {
        validateHeaderName(name);
        for (const one of [value].flat()) validateHeaderValue(name, one);
      } catch {
        context.addIssue({ code: 'custom', message: 'is not a header that HTTP can carry', path: [name] });
      }
    }
  });

/** An answer that is sent word for word: no header is added but those of the connection, the body goes as UTF-8. */
export const verbatim = z.strictObject({
  status: z.number().int().min(200).max(999).default(200),
  headers: headers.default({}),
  body: z.string().default(''),
});

/** Body of `PUT …/answer`; null, no body at all (express gives {}), or a `body` of null: the answer is made as before. */
export const verbatimBody = z.preprocess(
  (body: { body?: unknown } | null | undefined) =>
    JSON.stringify(body ?? {}) === '{}' || body?.body === null ? null : body,
  verbatim.nullable(),
);

export type Verbatim = z.output<typeof verbatim>;

export function sendVerbatim(res: Response, answer: Verbatim): void {
  res.writeHead(answer.status, answer.headers);
  res.end(answer.body);
}

/** The token that an answer of the token endpoint gives, if it gives one. */
export function tokenOf({ status, body }: Verbatim): string | null {
  if (status !== 200) return null;
  try {
    const named: unknown = JSON.parse(body)?.access_token;
    // A header is sent without the spaces around it.
    return typeof named === 'string' ? named.trim() || null : null;
  } catch {
    return null; // No JSON, as the test wants it.
  }
}
