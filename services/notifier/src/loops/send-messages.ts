import type { Channel } from '@casewatch/contracts';
import { type Running, worker } from '@casewatch/platform';
import { type Context, concurrency } from '../context.ts';
import { sendLeaseMs } from './send-lease.ts';
import { sendMail } from './send-mail.ts';
import { askLeaseMs, sendNotification } from './send-notification.ts';

/** How late a message is seen that became due without a signal, ms. */
const sweepMs = 300;

/** Sends the notifications of one channel that are due. */
export function sendNotifications(channel: Channel) {
  return (ctx: Context): Running =>
    worker({
      log: ctx.log,
      name: channel,
      concurrency,
      sweepMs,
      async claim() {
        if (!ctx.circuits[channel].allows(performance.now())) return null;
        return await ctx.stores.notifications.claim(channel, askLeaseMs);
      },
      handle: (row) => sendNotification(ctx, row),
      wakeOn: (wake) => ctx.signals.on(channel, wake),
    });
}

/** Sends the account mails that are due. */
export function sendMails(ctx: Context): Running {
  return worker({
    log: ctx.log,
    name: 'mails',
    concurrency,
    sweepMs,
    claim: () => ctx.stores.mails.claim(sendLeaseMs(ctx.config)),
    handle: (row) => sendMail(ctx, row),
    wakeOn: (wake) => ctx.signals.on('mails', wake),
  });
}
