import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { z } from 'zod';
import { delayMs, httpStatus } from '../http/faults.ts';

/** `signature_ok` is null if the hook has no secret. */
export interface ReceivedCall {
  headers: Record<string, string>;
  body: string;
  received_at: string;
  signature_ok: boolean | null;
}

/** How a hook answers; README.md describes the modes. */
const modes = ['none', 'hang', 'drip', 'endless', 'reset', 'garbage', 'half'] as const;

/** Body of `PUT /sandbox/hooks/{name}`: a field that is left out stays, null resets it. */
export const hookBody = z.strictObject({
  mode: z.enum(modes).nullable().optional(),
  status: httpStatus.nullable().optional(),
  delay_ms: delayMs.nullable().optional(),
  headers: z.record(z.string(), z.string()).nullable().optional(),
  /** Body of the answer; only with `mode` none. */
  body: z.string().max(10_000).nullable().optional(),
  /** Signing secret, `whsec_…`. */
  secret: z.string().refine(isSecret, 'must be whsec_ and base64').nullable().optional(),
});

export interface Hook {
  mode: (typeof modes)[number];
  status: number;
  delayMs: number;
  headers: Record<string, string>;
  body: string | null;
  secret: string | null;
  calls: ReceivedCall[];
}

export function newHook(): Hook {
  return { mode: 'none', status: 200, delayMs: 0, headers: {}, body: null, secret: null, calls: [] };
}

/** Applies a control body. The first secret also judges the calls before it. */
export function configureHook(hook: Hook, change: z.output<typeof hookBody>): void {
  const { mode, status, delay_ms, headers, body, secret } = change;
  if (mode !== undefined) hook.mode = mode ?? 'none';
  if (status !== undefined) hook.status = status ?? 200;
  if (delay_ms !== undefined) hook.delayMs = delay_ms ?? 0;
  if (headers !== undefined) hook.headers = headers ?? {};
  if (body !== undefined) hook.body = body;
  if (secret !== undefined) hook.secret = secret;
  for (const call of hook.calls) call.signature_ok ??= judgeSignature(hook.secret, call);
}

export function judgeSignature(
  secret: string | null,
  call: Pick<ReceivedCall, 'headers' | 'body'>,
): boolean | null {
  if (secret === null) return null;
  try {
    new Webhook(secret).verify(call.body, call.headers, { jsonParse: false });
    return true;
  } catch (err) {
    if (err instanceof WebhookVerificationError) return false;
    throw err;
  }
}

function isSecret(secret: string): boolean {
  try {
    return new Webhook(secret) !== undefined;
  } catch (err) {
    if (err instanceof Error) return false;
    throw err;
  }
}
