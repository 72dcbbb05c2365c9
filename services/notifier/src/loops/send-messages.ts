import type { Channel } from '@casewatch/contracts';
import { type Running, worker } from '@casewatch/platform';
import { type Context, concurrency } from '../context.ts';
import { sendLeaseMs } from './retry-write.ts';
import { sendMail } from './send-mail.ts';
import { prepareLeaseMs, sendNotification } from './send-notification.ts';

/** Interval of looking for due messages without a signal, ms. */
const sweepMs = 300;
/** After some seconds without a message. New messages come with a signal; retries wait at least as long. */
const idleSweepMs = 1_500;

export function sendNotifications(channel: Channel) {
  return (ctx: Context): Running =>
    worker({
      log: ctx.log,
      name: channel,
      concurrency,
      sweepMs,
      idleSweepMs,
      async claim() {
        if (!ctx.circuits[channel].allows(performance.now())) return null;
        return await ctx.stores.notifications.claim(channel, prepareLeaseMs);
      },
      handle: (row) => sendNotification(ctx, row),
      wakeOn: (wake) => ctx.signals.on(channel, wake),
    });
}

/** Sends mails about accounts. */
export function sendMails(ctx: Context): Running {
  return worker({
    log: ctx.log,
    name: 'mails',
    concurrency,
    sweepMs,
    idleSweepMs,
    claim: () => ctx.stores.mails.claim(sendLeaseMs(ctx.config)),
    handle: (row) => sendMail(ctx, row),
    wakeOn: (wake) => ctx.signals.on('mails', wake),
  });
}
