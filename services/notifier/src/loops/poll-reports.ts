import { every, type Running } from '@casewatch/platform';
import { applyReport } from '../changes/apply-report.ts';
import type { Context } from '../context.ts';
import { twilioError } from '../domain/classify-twilio.ts';
import type { NotificationRow } from '../store/notification-model.ts';

const hourMs = 60 * 60 * 1000;
/** When a message without a report is looked up, after it was accepted; ms. */
const pollsAfterMs = [hourMs, 24 * hourMs];
const intervalMs = 60_000;
const rowsPerRound = 50;

/** Looks up WhatsApp messages whose callbacks did not come (notifier.md, Sending). */
export function pollReports(ctx: Context): Running {
  const scale = Math.min(1, ctx.config.NOTIFY_RETRY_SCALE);
  return every(
    Math.max(200, intervalMs * scale),
    () => poll(ctx, scale),
    (error) => ctx.log.warn({ err: error }, 'Twilio messages not looked up; trying again'),
  );
}

async function poll(ctx: Context, scale: number): Promise<void> {
  if (!ctx.whatsapp) return;
  for (const [polls, afterMs] of pollsAfterMs.entries()) {
    const before = new Date(ctx.clock.now().getTime() - afterMs * scale);
    const rows = await ctx.stores.notifications.unreported({ polls, before }, rowsPerRound);
    for (const row of rows) await pollOne(ctx, row);
    await ctx.stores.notifications.setPolls(
      rows.map(({ _id }) => _id),
      polls + 1,
    );
  }
}

async function pollOne(ctx: Context, row: NotificationRow): Promise<void> {
  const digest = row.digest ? await ctx.stores.digests.find(row.digest) : null;
  const sid = digest ? digest.provider_message_id : row.provider_message_id;
  const message = sid === null ? null : await ctx.whatsapp?.fetch(sid);
  if (!message) return;
  const report = {
    providerId: message.sid,
    providerStatus: message.status,
    failure: { error: twilioError(message.errorCode) },
  };
  await applyReport(ctx, { channel: 'whatsapp', id: digest?._id ?? row._id }, report);
}
