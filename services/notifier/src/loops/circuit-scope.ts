import type { Context } from '../context.ts';
import type { Outcome } from '../domain/outcome.ts';
import { addressOf } from '../domain/skip-reason.ts';
import type { TemplateKey } from '../templates/whatsapp-templates.ts';
import type { ClaimedMessage } from './claimed-message.ts';

type Scoped = Pick<ClaimedMessage, 'channel' | 'rows' | 'user' | 'isFirst'>;

/** A broken WhatsApp template pauses its own messages; mails have no templates at a provider. */
export function scopeOfTemplate(ctx: Context, { channel, rows, user, isFirst }: Scoped): string {
  const language = user.preferred_language;
  const has = (key: TemplateKey) => ctx.whatsapp?.contentSid(key, language) != null;
  const single = isFirst && has('first_update') ? 'first_update' : 'status_update';
  const key = rows.length > 1 && has('status_digest') ? 'status_digest' : single;
  return channel === 'email' ? 'email template' : `${channel} ${key} ${language}`;
}

/** Records an outcome where its fault is: in the channel, or in the template. Returns the outcome that counts. */
export function recordInCircuits(ctx: Context, message: ClaimedMessage, outcome: Outcome): Outcome {
  const { channel, user } = message;
  ctx.metrics.submitted(channel, outcome);
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
