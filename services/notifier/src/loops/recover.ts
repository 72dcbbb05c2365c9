import { every, type Running } from '@casewatch/platform';
import { changeNotifications } from '../changes/change-notification.ts';
import type { Context } from '../context.ts';
import type { NotificationRow } from '../store/notification-model.ts';
import { sendLeaseMs } from './retry-write.ts';

/** A claim ends late enough that this delay does not matter. */
const intervalMs = 5_000;
const rowsPerRound = 100;

/** Settles rows whose sender died: the message was accepted, it may have been sent, or it was never submitted. */
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
    interrupted.map((row) => ({ row, change: acceptedChange(row) ?? interruptedChange(row) })),
  );
  // First, so that a second kill finds it done.
  for (const row of rows) report(ctx, row);
  await ctx.stores.recipients.freeOlder(rows, sendLeaseMs(ctx.config));
  for (const { channel } of rows) ctx.signals.emit(channel);
}

function report(ctx: Context, { _id, channel, status, submitted_at }: NotificationRow): void {
  if (status !== 'pending') {
    ctx.log.info({ notification: _id, outcome: 'accepted' }, 'result of an interrupted sending stored');
    return;
  }
  if (submitted_at === null) {
    ctx.log.info({ notification: _id }, 'sending was interrupted before the submission; trying again');
    return;
  }
  const fields = { notification: _id, outcome: 'ambiguous' };
  ctx.log.warn(fields, 'sending was interrupted; the message may be sent twice');
  ctx.metrics.interrupted(channel);
}

/** What was not submitted cannot have been accepted; an earlier attempt may have been. Without the field nobody knows. */
function interruptedChange({ submitted_at, ambiguous }: NotificationRow) {
  const last_error = 'interrupted: the sender stopped while it was sending';
  return {
    status: 'pending',
    last_error,
    dueInMs: 0,
    ambiguous: ambiguous || submitted_at !== null,
  } as const;
}

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
