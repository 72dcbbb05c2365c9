import { changeNotifications } from '../changes/change-notification.ts';
import type { Context } from '../context.ts';
import { decideCallback } from '../domain/callback.ts';
import { twilioError } from '../domain/classify-twilio.ts';
import { maxAttempts, triesOf } from '../domain/retry-delay.ts';
import { findSubmission } from './deliver-whatsapp.ts';
import type { Draft } from './start-messages.ts';

const settled = { dueInMs: null, ambiguous: false } as const;

/**
 * Settles an ambiguous WhatsApp message by Twilio's list. `send`: Twilio does not have it. `unknown`: Twilio did not answer.
 */
export async function settleByProvider(ctx: Context, draft: Draft): Promise<'send' | 'settled' | 'unknown'> {
  const rows = draft.rows.filter(({ ambiguous }) => ambiguous);
  const [first] = rows;
  if (draft.channel !== 'whatsapp' || !ctx.whatsapp || !first) return 'send';
  const submission = await findSubmission(ctx, { ...draft, rows }).catch((error: unknown) => {
    ctx.log.info({ notification: first._id, err: error }, "Twilio's list unavailable; trying again");
    return undefined;
  });
  if (submission === undefined) return 'unknown';
  if (submission === null) return await failExhausted(ctx, draft);
  const { sid, status: providerStatus, errorCode, createdAt } = submission;
  const digest = first.digest ?? null;
  if (digest !== null) await ctx.stores.digests.setProviderId(digest, sid);
  const changes = rows.map((row) => {
    const failure = { error: twilioError(errorCode) };
    const decision = decideCallback(row, { providerId: sid, providerStatus, failure });
    const state =
      decision.kind === 'change'
        ? { status: decision.status, provider_rank: decision.rank, last_error: decision.last_error }
        : { status: 'sent' as const, last_error: null };
    const ids = digest === null ? { provider_message_id: sid } : {};
    return { row, change: { ...state, ...ids, ...settled, sent_at: createdAt } };
  });
  await changeNotifications(ctx, changes);
  return 'settled';
}

async function failExhausted(ctx: Context, { rows, channel }: Draft): Promise<'send' | 'settled'> {
  if (rows.some((row) => triesOf(row) < maxAttempts(channel))) return 'send';
  await changeNotifications(
    ctx,
    rows.map((row) => ({ row, change: { ...settled, status: 'failed' as const } })),
  );
  return 'settled';
}
