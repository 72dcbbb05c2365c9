import { every, type Running } from '@casewatch/platform';
import { changeNotifications } from '../changes/change-notification.ts';
import type { Context } from '../context.ts';
import type { NotificationRow } from '../store/notification-model.ts';
import { sendLeaseMs } from './retry-write.ts';

/** A claim ends late enough that this delay does not matter. */
const intervalMs = 5_000;
const rowsPerRound = 100;

/** Settles rows whose sender died while sending: the message was accepted, or it may have been sent. */
export function recoverInterrupted(ctx: Context): Running {
  return every(
    Math.min(intervalMs, sendLeaseMs(ctx.config) / 4),
    () => recover(ctx),
    (error) => ctx.log.warn({ err: error }, 'interrupted sends not recovered; trying again'),
  );
}

async function recover(ctx: Context): Promise<void> {
  const interrupted = await ctx.stores.notifications.interrupted(rowsPerRound);
  const rows = await changeNotifications(
    ctx,
    interrupted.map((row) => ({ row, change: acceptedChange(row) ?? ambiguousChange })),
  );
  // First, so that a second kill finds it done.
  for (const row of rows) report(ctx, row);
  await ctx.stores.recipients.freeOlder(rows, sendLeaseMs(ctx.config));
  for (const { channel } of rows) ctx.signals.emit(channel);
}

function report(ctx: Context, { _id, channel, status }: NotificationRow): void {
  if (status !== 'pending') {
    ctx.log.info({ notification: _id, outcome: 'accepted' }, 'result of an interrupted sending stored');
    return;
  }
  const fields = { notification: _id, outcome: 'ambiguous' };
  ctx.log.warn(fields, 'sending was interrupted; the message may be sent twice');
  ctx.metrics.interrupted(channel);
}

const ambiguousChange = {
  status: 'pending',
  last_error: 'interrupted: the sender stopped while it was sending',
  dueInMs: 0,
  ambiguous: true,
} as const;

function acceptedChange({ accepted, claim }: NotificationRow) {
  if (!accepted || accepted.claim !== claim) return null;
  const { at, template } = accepted;
  const sent = {
    status: 'sent',
    last_error: null,
    dueInMs: null,
    ambiguous: false,
    provider_rank: 1,
  } as const;
  return { ...sent, sent_at: at, template };
}
