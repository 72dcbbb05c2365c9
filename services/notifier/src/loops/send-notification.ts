import { changeNotification } from '../changes/change-notification.ts';
import { fetchRecipient } from '../clients/recipient.ts';
import type { Context } from '../context.ts';
import { afterAttempt } from '../domain/after-attempt.ts';
import { decideCallback } from '../domain/callback.ts';
import type { Outcome } from '../domain/outcome.ts';
import { maxAttempts } from '../domain/retry-delay.ts';
import { type Recipient, skipError, skipReason } from '../domain/skip-reason.ts';
import type { NotificationRow } from '../store/notification-model.ts';
import { deliverEmail } from './deliver-email.ts';
import { deliverWhatsapp, findSubmission } from './deliver-whatsapp.ts';
import { retryWrite, sendLeaseMs } from './retry-write.ts';

/** Duration of a claim before sending, ms. Short, because a row that is left behind was not sent. */
export const prepareLeaseMs = 10_000;

/** Delay after a failed request to another service or to Twilio's list, ms. It counts no attempt. */
const unavailableDelayMs = 2_000;
const oneDayMs = 24 * 60 * 60 * 1000;

/** Sends one claimed notification once, or skips it, and stores the result. */
export async function sendNotification(ctx: Context, row: NotificationRow): Promise<void> {
  const recipient = await fetchRecipient(ctx.bus, row).catch((error: unknown) => {
    ctx.log.info({ notification: row._id, err: error }, 'recipient unavailable; trying again');
    return null;
  });
  if (!recipient) {
    await ctx.stores.notifications.release(row, unavailableDelayMs);
    return;
  }
  const reason = skipReason(await factsForSkipping(ctx, row, recipient));
  if (reason !== null) {
    // After an attempt the message may have been sent, so it is not skipped: its retries failed.
    const status = row.attempts === 0 ? 'skipped' : 'failed';
    await changeNotification(ctx, row, {
      status,
      last_error: skipError(reason),
      reason,
      dueInMs: null,
      ambiguous: false,
    });
    return;
  }
  if (row.ambiguous && (await settleByProvider(ctx, row, recipient))) return;
  if (row.attempts >= maxAttempts(row.channel)) {
    await changeNotification(ctx, row, { status: 'failed', dueInMs: null, ambiguous: false });
    return;
  }
  await attempt(ctx, row, recipient);
}

async function attempt(ctx: Context, claimed: NotificationRow, recipient: Recipient): Promise<void> {
  const leaseMs = sendLeaseMs(ctx.config);
  const claimedAt = performance.now();
  const row = await ctx.stores.notifications.startAttempt(claimed, leaseMs);
  if (!row) return;
  // After a pause of the process the claim may end before the submission does.
  if (performance.now() - claimedAt > leaseMs - ctx.config.NOTIFY_SEND_TIMEOUT_MS) return;
  const outcome = await submit(ctx, row, recipient);
  const now = ctx.clock.now();
  ctx.circuits[row.channel].record(outcome.kind, performance.now());
  const fields = { notification: row._id, attempts: row.attempts, outcome: outcome.kind };
  if (outcome.kind === 'accepted') ctx.log.info(fields, 'message accepted');
  else ctx.log.warn({ ...fields, reason: outcome.error }, 'message not accepted');
  const draw = { scale: ctx.config.NOTIFY_RETRY_SCALE, random: ctx.random() };
  const change = afterAttempt(outcome, { channel: row.channel, attempts: row.attempts, now, ...draw });
  const changed = await retryWrite(ctx, claimedAt, () => changeNotification(ctx, row, change));
  if (!changed)
    ctx.log.debug({ notification: row._id }, 'send result ignored: a callback settled the notification');
}

async function submit(ctx: Context, row: NotificationRow, recipient: Recipient): Promise<Outcome> {
  const { user } = recipient;
  const { facts } = row;
  if (user && facts && row.channel === 'email')
    return await deliverEmail(ctx, { row, facts, user, recipient });
  if (user && facts && ctx.whatsapp)
    return await deliverWhatsapp(ctx, { row, facts, user, whatsapp: ctx.whatsapp });
  throw new Error('this message was to be skipped');
}

/** Settles an ambiguous WhatsApp message by Twilio's list. False if the message is to be sent again. */
async function settleByProvider(ctx: Context, row: NotificationRow, { user }: Recipient): Promise<boolean> {
  const { facts } = row;
  if (row.channel !== 'whatsapp' || !ctx.whatsapp || !user || !facts) return false;
  const message = { row, facts, user, whatsapp: ctx.whatsapp };
  const submission = await findSubmission(ctx, message).catch((error: unknown) => {
    ctx.log.info({ notification: row._id, err: error }, "Twilio's list unavailable; trying again");
    return undefined;
  });
  if (submission === undefined) {
    await ctx.stores.notifications.release(row, unavailableDelayMs);
    return true;
  }
  if (submission === null) return false;
  const { sid, status: providerStatus, errorCode, createdAt } = submission;
  const decision = decideCallback(row, { providerId: sid, providerStatus, errorCode });
  await changeNotification(ctx, row, {
    ...(decision.kind === 'change'
      ? { status: decision.status, provider_rank: decision.rank, last_error: decision.last_error }
      : { status: 'sent', last_error: null }),
    sent_at: createdAt,
    provider_message_id: sid,
    dueInMs: null,
    ambiguous: false,
  });
  return true;
}

async function factsForSkipping(ctx: Context, row: NotificationRow, recipient: Recipient) {
  const { config, whatsapp } = ctx;
  const now = ctx.clock.now().getTime();
  const cap = config.NOTIFY_RECIPIENT_CAP;
  const dayAgo = new Date(now - oneDayMs);
  const isEmail = row.channel === 'email';
  return {
    ...recipient,
    channel: row.channel,
    suppression: await ctx.stores.suppressions.find({ userId: row.user_id, channel: row.channel }),
    configured: isEmail || whatsapp !== null,
    hasTemplate: isEmail || whatsapp?.contentSid(recipient.user?.preferred_language ?? 'en') !== null,
    sentToday: cap === 0 ? 0 : await ctx.stores.notifications.countSent(row.user_id, row.channel, dayAgo),
    recipientCap: cap,
    ageMs: now - row.observed_at.getTime(),
  };
}
