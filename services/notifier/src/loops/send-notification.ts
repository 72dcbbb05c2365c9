import { settle } from '../changes/settle.ts';
import { askRecipient, type Recipient } from '../clients/recipient.ts';
import type { Context } from '../context.ts';
import { afterAttempt } from '../domain/after-attempt.ts';
import { decideCallback } from '../domain/callback.ts';
import type { Outcome } from '../domain/outcome.ts';
import { maxAttempts } from '../domain/retry-delay.ts';
import { skipError, skipReason } from '../domain/skip-reason.ts';
import type { NotificationRow } from '../store/notification-row.ts';
import { deliverEmail } from './deliver-email.ts';
import { deliverWhatsapp, findSubmission } from './deliver-whatsapp.ts';
import { sendLeaseMs } from './send-lease.ts';
import { storeSurely } from './store-surely.ts';

/** A claim for asking: nothing is sent under it, so that one that was left behind is free again soon; ms. */
export const askLeaseMs = 10_000;

/** A sibling that is away is asked again after this, ms; no attempt is counted. */
const siblingAwayMs = 2_000;
const oneDayMs = 24 * 60 * 60 * 1000;

/** Tells one person of one update on one channel, or says why not: claimed row in, settled row out. */
export async function sendNotification(ctx: Context, row: NotificationRow): Promise<void> {
  const recipient = await askRecipient(ctx.bus, row).catch((error: unknown) => {
    ctx.log.info({ notification: row._id, err: error }, 'recipient not available; trying again');
    return null;
  });
  if (!recipient) {
    await ctx.stores.notifications.release(row, siblingAwayMs);
    return;
  }
  const reason = skipReason(await factsForSkipping(ctx, row, recipient));
  if (reason !== null) {
    const skipped = { status: 'skipped', last_error: skipError(reason) } as const;
    // Something may have gone out before the reason arose: then it failed to be repeated, it was not skipped.
    const gaveUp = { status: 'failed', last_error: skipError(reason) } as const;
    const change = row.attempts === 0 ? skipped : gaveUp;
    await settle(ctx, expectedOf(row), { ...change, reason, dueInMs: null, ambiguous: false });
    return;
  }
  if (row.ambiguous && (await isAdopted(ctx, row, recipient))) return;
  if (row.attempts >= maxAttempts(row.channel)) {
    const change = { status: 'failed', dueInMs: null, ambiguous: false } as const;
    await settle(ctx, expectedOf(row), change);
    return;
  }
  await attempt(ctx, row, recipient);
}

async function attempt(ctx: Context, claimed: NotificationRow, recipient: Recipient): Promise<void> {
  const leaseMs = sendLeaseMs(ctx.config);
  const claimedAt = performance.now();
  const row = await ctx.stores.notifications.begin(claimed, leaseMs);
  if (!row) return;
  // A process that was frozen meanwhile must not send beside whoever took over: its claim is ending.
  if (performance.now() - claimedAt > leaseMs - ctx.config.NOTIFY_SEND_TIMEOUT_MS) return;
  const outcome = await submit(ctx, row, recipient);
  const now = ctx.clock.now();
  ctx.circuits[row.channel].record(outcome.kind, performance.now());
  const record = { notification: row._id, attempts: row.attempts, outcome: outcome.kind };
  if (outcome.kind === 'accepted') ctx.log.info(record, 'message accepted');
  else ctx.log.warn({ ...record, reason: outcome.error }, 'message not accepted');
  const draw = { scale: ctx.config.NOTIFY_RETRY_SCALE, random: ctx.random() };
  const change = afterAttempt(outcome, { channel: row.channel, attempts: row.attempts, now, ...draw });
  const leftMs = leaseMs - (performance.now() - claimedAt);
  const settled = await storeSurely(ctx, leftMs, () => settle(ctx, expectedOf(row), change));
  // A callback may be faster than the answer to the submission itself.
  if (!settled) ctx.log.debug({ notification: row._id }, 'already settled by a callback');
}

async function submit(ctx: Context, row: NotificationRow, recipient: Recipient): Promise<Outcome> {
  const { user } = recipient;
  const { facts } = row;
  if (!user || !facts) throw new Error('this message was to be skipped');
  if (row.channel === 'email') return await deliverEmail(ctx, { row, facts, user, recipient });
  if (!ctx.whatsapp) throw new Error('this message was to be skipped');
  return await deliverWhatsapp(ctx, { row, facts, user, whatsapp: ctx.whatsapp });
}

/** Looks for what an ambiguous submission made; true if it is found, and the row is settled by it. */
async function isAdopted(ctx: Context, row: NotificationRow, { user }: Recipient): Promise<boolean> {
  const { facts } = row;
  if (row.channel !== 'whatsapp' || !ctx.whatsapp || !user || !facts) return false;
  const message = { row, facts, user, whatsapp: ctx.whatsapp };
  const found = await findSubmission(ctx, message).catch((error: unknown) => {
    ctx.log.info(
      { notification: row._id, err: error },
      'status of the submission not available; trying again',
    );
    return undefined;
  });
  if (found === undefined) {
    await ctx.stores.notifications.release(row, siblingAwayMs);
    return true;
  }
  if (found === null) return false;
  const report = { providerId: found.sid, providerStatus: found.status, errorCode: found.errorCode };
  const decision = decideCallback(row, report);
  await settle(ctx, expectedOf(row), {
    ...(decision.kind === 'change'
      ? { status: decision.status, provider_rank: decision.rank, last_error: decision.last_error }
      : { status: 'sent', last_error: null }),
    sent_at: found.createdAt,
    provider_message_id: found.sid,
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

function expectedOf({ _id, status, fence }: NotificationRow) {
  return { _id, status, fence };
}
