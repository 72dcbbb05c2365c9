import type { Context } from '../context.ts';
import type { Outcome } from '../domain/outcome.ts';
import { addressOf } from '../domain/skip-reason.ts';
import type { ClaimedMessage } from './claimed-message.ts';

type Scoped = Pick<ClaimedMessage, 'channel' | 'rows' | 'user'>;

/** A broken WhatsApp template pauses its own messages; mails have no templates at a provider. */
export function scopeOfTemplate(ctx: Context, { channel, rows, user }: Scoped): string {
  const language = user.preferred_language;
  const hasDigest = rows.length > 1 && ctx.whatsapp?.contentSid('status_digest', language) != null;
  const key = hasDigest ? 'status_digest' : 'status_update';
  return channel === 'email' ? 'email template' : `${channel} ${key} ${language}`;
}

/** Records an outcome where its fault is: in the channel, or in the template. Returns the outcome that counts. */
export function recordInCircuits(ctx: Context, message: ClaimedMessage, outcome: Outcome): Outcome {
  const { channel, user } = message;
  const at = { nowMs: performance.now(), recipient: addressOf(user, channel) ?? '' };
  const template = ctx.circuits.of(scopeOfTemplate(ctx, message));
  if (outcome.kind === 'configuration' && outcome.isTemplate) {
    // The provider itself works.
    ctx.circuits.of(channel).record({ kind: 'accepted', provider_message_id: null }, at);
    return template.record(outcome, at);
  }
  if (outcome.kind === 'accepted') template.record(outcome, at);
  return ctx.circuits.of(channel).record(outcome, at);
}
