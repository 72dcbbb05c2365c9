import type { Channel } from '@casewatch/contracts';
import { type Change, changeNotifications } from '../changes/change-notification.ts';
import { type ActiveCases, fetchActiveCases, fetchRecipients, type People } from '../clients/recipient.ts';
import type { Context } from '../context.ts';
import type { Circuit } from '../domain/circuit.ts';
import { planMessages } from '../domain/plan-message.ts';
import { quietUntil } from '../domain/quiet-hours.ts';
import { maxAttempts, triesOf } from '../domain/retry-delay.ts';
import { addressOf, isStale, type RecipientUser, skipError, skipReason } from '../domain/skip-reason.ts';
import type { AddressSuppression, Suppression } from '../domain/suppression.ts';
import { blockedUsers } from '../store/blocked-users.ts';
import type { NotificationRow } from '../store/notification-model.ts';
import type { RecipientRow } from '../store/recipients.ts';
import { scopeOfTemplate } from './circuit-scope.ts';
import type { Claimed, ClaimedMessage } from './claimed-message.ts';
import { settleByProvider } from './settle-by-provider.ts';
import { type Draft, startMessages } from './start-messages.ts';

/** Delay after a failed request to another service or to Twilio's list, ms. It counts no attempt. */
const unavailableDelayMs = 2_000;

type LeaveOut = (userId: number, ms: number) => void;
type Facts = {
  people: People;
  activeCases: ActiveCases;
  suppressions: Map<number, Suppression>;
  blocked: Map<number, AddressSuppression>;
};

/** Skips what is not to be sent, chooses the next messages of each person, and counts their attempts. */
export async function prepareMessages(
  ctx: Context,
  { channel, limit, claimed }: { channel: Channel; limit: number; claimed: readonly Claimed[] },
  leaveOut: LeaveOut,
): Promise<ClaimedMessage[]> {
  const userIds = claimed.map(({ recipient }) => recipient.user_id);
  const rows = await ctx.stores.notifications.openOf(userIds, channel);
  const facts = await loadFacts(ctx, channel, rows).catch((error: unknown) => {
    ctx.log.info({ channel, err: error }, 'recipients unavailable; trying again');
    return null;
  });
  if (!facts) {
    const ids = rows.filter(({ status }) => status === 'pending').map(({ _id }) => _id);
    for (const userId of userIds) leaveOut(userId, unavailableDelayMs);
    ctx.log.debug({ channel, notifications: ids.length }, 'notifications wait for their recipients');
    return [];
  }
  const ended = endedRows(ctx, channel, rows, facts);
  await changeNotifications(ctx, [...ended.values()]);
  const today = ctx.clock.now().toISOString().slice(0, 10);
  const open = rows
    .filter(({ _id }) => !ended.has(_id))
    .map((row) => withNotice(row, facts.activeCases, today));
  const drafts = await draftMessages(ctx, channel, { claimed, open, facts });
  const sendable: Draft[] = [];
  for (const draft of drafts) {
    const verdict = await settleByProvider(ctx, draft);
    if (verdict === 'send') sendable.push(draft);
    else if (verdict === 'unknown') leaveOut(draft.user.id, unavailableDelayMs);
  }
  return await startMessages(ctx, sendable.slice(0, limit), leaveOut);
}

/**
 * The day that the firm read in the notice is asked for with each message: it may be typed while the message waits. It takes the place of
 * our estimate also where it has passed: then no day is named.
 */
function withNotice(row: NotificationRow, { notices }: ActiveCases, today: string): NotificationRow {
  const notice = notices.get(row.status_update_id);
  if (row.facts === null || notice === undefined) return row;
  const named = notice < today ? { answer_by: null } : { notice };
  return { ...row, facts: { ...row.facts, ...named } };
}

async function loadFacts(ctx: Context, channel: Channel, rows: NotificationRow[]): Promise<Facts> {
  const userIds = [...new Set(rows.map(({ user_id }) => user_id))];
  if (userIds.length === 0)
    return {
      people: new Map(),
      activeCases: { ids: new Set(), notices: new Map() },
      suppressions: new Map(),
      blocked: new Map(),
    };
  const caseIds = rows.map(({ case_id }) => case_id);
  const [people, activeCases, suppressions] = await Promise.all([
    fetchRecipients(ctx.bus, userIds),
    fetchActiveCases(ctx.bus, caseIds),
    ctx.stores.suppressions.findAll(userIds, channel),
  ]);
  const blocked = await blockedUsers(ctx, channel, [...people.values()]);
  return { people, activeCases, suppressions, blocked };
}

/** Rows that are not to be sent, or not again. */
function endedRows(ctx: Context, channel: Channel, rows: NotificationRow[], facts: Facts) {
  const isEmail = channel === 'email';
  const now = ctx.clock.now();
  const ended = new Map<string, Change>();
  for (const row of rows) {
    if (row.status !== 'pending') continue;
    const user = facts.people.get(row.user_id) ?? null;
    const language = user?.preferred_language ?? 'en';
    const reason = skipReason({
      user,
      caseActive: facts.activeCases.ids.has(row.case_id),
      channel,
      suppression: facts.suppressions.get(row.user_id) ?? null,
      blocked: facts.blocked.get(row.user_id) ?? null,
      configured: isEmail || ctx.whatsapp !== null,
      hasTemplate: isEmail || ctx.whatsapp?.contentSid('status_update', language) !== null,
      isStale: row.held !== true && isStale(row.observed_at, now),
    });
    const settled = { dueInMs: null, ambiguous: false };
    if (reason !== null) {
      // After an attempt the message may have been sent, so it is not skipped: its retries failed.
      const status = row.attempts === 0 ? 'skipped' : 'failed';
      ended.set(row._id, { row, change: { ...settled, status, reason, last_error: skipError(reason) } });
    } else if (!row.ambiguous && triesOf(row) >= maxAttempts(channel)) {
      ended.set(row._id, { row, change: { ...settled, status: 'failed' } });
    }
  }
  return ended;
}

type Open = { claimed: readonly Claimed[]; open: NotificationRow[]; facts: Facts };

async function draftMessages(
  ctx: Context,
  channel: Channel,
  { claimed, open, facts }: Open,
): Promise<Draft[]> {
  const drafts: Draft[] = [];
  const delays: { ids: string[]; dueInMs: number; isHeld: boolean }[] = [];
  for (const { recipient, token, claimedAt } of claimed) {
    const user = facts.people.get(recipient.user_id);
    const rows = open.filter(({ user_id }) => user_id === recipient.user_id);
    if (!user || rows.length === 0) continue;
    const now = recipient.claimed_at;
    const windowMs = ctx.config.NOTIFY_DIGEST_WINDOW_S * 1_000;
    const hasDigest =
      channel === 'email' || ctx.whatsapp?.contentSid('status_digest', user.preferred_language) != null;
    const { send, hold } = planMessages(rows, recipient, {
      channel,
      now,
      windowMs,
      cap: ctx.config.NOTIFY_RECIPIENT_CAP,
      quietUntil: quietUntil(ctx.quietHours, now, user.partner_time_zone),
      joinsCases: windowMs > 0 && hasDigest,
    });
    if (hold) {
      const dueInMs = hold.until.getTime() - now.getTime();
      delays.push({ ids: hold.rows.map(({ _id }) => _id), dueInMs, isHeld: true });
    }
    const claim = { token, claimedAt, open: 0, accepted: 0 };
    for (const chosen of send) {
      const isFirst = !isKnown(ctx, recipient, user);
      const draft = { ...chosen, channel, user, isFirst, claim };
      const circuit = ctx.circuits.of(scopeOfTemplate(ctx, draft));
      const nowMs = performance.now();
      if (circuit.admits(nowMs) > 0) {
        circuit.started(nowMs);
        drafts.push(draft);
      } else
        delays.push({ ids: chosen.rows.map(({ _id }) => _id), dueInMs: pauseOf(circuit), isHeld: false });
    }
  }
  await ctx.stores.notifications.postpone(delays);
  for (const { dueInMs } of delays) ctx.alarms.set(channel, dueInMs);
  return drafts;
}

/** Not immediately, although a probe may end earlier. */
function pauseOf(circuit: Circuit): number {
  return Math.max(1_000, circuit.remainingMs(performance.now()));
}

function isKnown(ctx: Context, { address, channel }: RecipientRow, user: RecipientUser): boolean {
  return (
    address !== undefined && ctx.addressHashes.all(channel, addressOf(user, channel) ?? '').includes(address)
  );
}
