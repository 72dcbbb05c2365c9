import { z } from 'zod';

const text = z.string().nullish();
const flat = z.object({ message: text }).transform(({ message }) => message);

/** The known shapes of USCIS errors (upstream.md, "Everything else"), each with its sentence. */
const envelope = z.union([
  z.object({ fault: z.object({ faultstring: text }) }).transform(({ fault }) => fault.faultstring),
  z.object({ errors: z.tuple([flat], z.unknown()) }).transform(({ errors }) => errors[0]),
  // The token endpoint.
  z.object({ Error: z.string() }).transform((error) => error.Error),
  z.object({ error: z.union([z.string(), flat]) }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

const maxMessageLength = 500;
// The sentence is stored and shown to operators: only the prefix and the last four digits of a number stay.
const receiptNumber = /\b([A-Z]{3})\d{6}(\d{4})\b/gi;

/** Null if the body is no error of USCIS. */
export function readErrorEnvelope(body: string): { message: string | null } | null {
  const parsed = envelope.safeParse(parseJson(body));
  if (!parsed.success) return null;
  const message = parsed.data?.trim().replace(receiptNumber, '$1…$2').slice(0, maxMessageLength);
  return { message: message || null };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The callers treat other text as unreadable.
  }
}
