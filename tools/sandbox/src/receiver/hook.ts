import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { z } from 'zod';
import { delayMs, httpStatus } from '../http/fault-fields.ts';

/** One call as it came in; `signature_ok` null = no secret was set. */
export interface ReceivedCall {
  headers: Record<string, string>;
  body: string;
  received_at: string;
  signature_ok: boolean | null;
}

/** Body of `PUT /sandbox/hooks/{name}`: how it answers from now on. What is left out stays; null puts a field as new. */
export const hookBody = z.strictObject({
  /** HTTP status of the answer, 200 as new. */
  status: httpStatus.nullable().optional(),
  /** Milliseconds before the answer, 0 as new. */
  delay_ms: delayMs.nullable().optional(),
  /** Headers of the answer, none as new. */
  headers: z.record(z.string(), z.string()).nullable().optional(),
  /** Signing secret (`whsec_…`), none as new. */
  secret: z.string().refine(isSecret, 'must be whsec_ and base64').nullable().optional(),
});

/** One receiver: how it answers, and what it got, oldest first. */
export interface Hook {
  status: number;
  delayMs: number;
  headers: Record<string, string>;
  secret: string | null;
  calls: ReceivedCall[];
}

export function newHook(): Hook {
  return { status: 200, delayMs: 0, headers: {}, secret: null, calls: [] };
}

/** Applies a control body; calls that came before a secret was known are judged by the first one set. */
export function configureHook(hook: Hook, change: z.output<typeof hookBody>): void {
  const { status, delay_ms, headers, secret } = change;
  if (status !== undefined) hook.status = status ?? 200;
  if (delay_ms !== undefined) hook.delayMs = delay_ms ?? 0;
  if (headers !== undefined) hook.headers = headers ?? {};
  if (secret !== undefined) hook.secret = secret;
  for (const call of hook.calls) call.signature_ok ??= judgeSignature(hook.secret, call);
}

/** What the Standard Webhooks library says of a call; null without a secret. */
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
