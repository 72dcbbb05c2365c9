import { every, type Running } from '@casewatch/platform';
import { changeNotifications } from '../changes/change-notification.ts';
import type { Context } from '../context.ts';
import { sendLeaseMs } from './retry-write.ts';

/** A claim ends late enough that this delay does not matter. */
const intervalMs = 5_000;
const rowsPerRound = 100;

/** Frees rows whose sender died while sending. Their messages may have been sent (notifier.md, Sending). */
export function recoverInterrupted(ctx: Context): Running {
  return every(
    Math.min(intervalMs, sendLeaseMs(ctx.config) / 4),
    () => recover(ctx),
    (error) => ctx.log.warn({ err: error }, 'interrupted sends not recovered; trying again'),
  );
}

async function recover(ctx: Context): Promise<void> {
  const interrupted = await ctx.stores.notifications.interrupted(rowsPerRound);
  const last_error = 'interrupted: the sender stopped while it was sending';
  const change = { status: 'pending', last_error, dueInMs: 0, ambiguous: true } as const;
  const rows = await changeNotifications(
    ctx,
    interrupted.map((row) => ({ row, change })),
  );
  await ctx.stores.recipients.freeOlder(rows, sendLeaseMs(ctx.config));
  for (const row of rows) {
    const fields = { notification: row._id, outcome: 'ambiguous' };
    ctx.log.warn(fields, 'sending was interrupted; the message may be sent twice');
    ctx.metrics.interrupted(row.channel);
    ctx.signals.emit(row.channel);
  }
}
