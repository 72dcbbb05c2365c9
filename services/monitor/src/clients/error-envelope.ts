import { z } from 'zod';

const code = z.union([z.string(), z.number()]).nullish();
const text = z.string().nullish();
const flat = z.object({ code, message: text });

/** The known shapes of USCIS errors (upstream.md, "Everything else"). */
const envelope = z.union([
  z
    .object({ fault: z.object({ faultstring: text, detail: z.object({ errorcode: text }).nullish() }) })
    .transform(({ fault }) => ({ message: fault.faultstring, code: fault.detail?.errorcode })),
  z.object({ errors: z.tuple([flat], z.unknown()) }).transform(({ errors }) => errors[0]),
  // The token endpoint.
  z.object({ Error: z.string(), ErrorCode: text }).transform((error) => ({
    message: error.Error,
    code: error.ErrorCode,
  })),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error, code: null })),
  z.object({ error: flat }).transform(({ error }) => error),
  z.object({ message: z.string(), code }),
]);

export type UpstreamError = { code: string | null; message: string | null };

const maxMessageLength = 500;
// The sentence is stored and shown to operators: only the prefix and the last four digits of a number stay.
const receiptNumber = /\b([A-Z]{3})\d{6}(\d{4})\b/gi;

export function readErrorEnvelope(body: string): UpstreamError | null {
  const parsed = envelope.safeParse(parseJson(body));
  if (!parsed.success) return null;
  const { code: number, message } = parsed.data;
  return {
    code: number === null || number === undefined ? null : String(number),
    message: message?.trim().replace(receiptNumber, '$1…$2').slice(0, maxMessageLength) || null,
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The callers treat other text as unreadable.
  }
}
