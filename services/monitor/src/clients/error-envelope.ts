import { z } from 'zod';

const code = z.union([z.string(), z.number()]).nullish();
const text = z.string().nullish();
const flat = z.object({ code, message: text });

/** The shapes in which the government reports errors (upstream.md, "Everything else"). */
const envelope = z.union([
  z
    .object({ fault: z.object({ faultstring: text, detail: z.object({ errorcode: text }).nullish() }) })
    .transform(({ fault }) => ({ message: fault.faultstring, code: fault.detail?.errorcode })),
  z.object({ errors: z.tuple([flat], z.unknown()) }).transform(({ errors }) => errors[0]),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error, code: null })),
  z.object({ error: flat }).transform(({ error }) => error),
  z.object({ message: z.string(), code }),
]);

export type UpstreamError = { code: string | null; message: string | null };

/** Longest sentence of the government's that is kept. */
const maxMessage = 500;

/** Code and message of an error body; null if it is none of the known shapes (HTML, half a body, something else). */
export function readErrorEnvelope(body: string): UpstreamError | null {
  const parsed = envelope.safeParse(parseJson(body));
  if (!parsed.success) return null;
  const { code: number, message } = parsed.data;
  return {
    code: number === null || number === undefined ? null : String(number),
    message: message?.trim().slice(0, maxMessage) || null,
  };
}

/** JSON, or undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What it is instead, the caller finds out.
    return undefined;
  }
}
