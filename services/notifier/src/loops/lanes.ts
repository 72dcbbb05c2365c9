import type { Channel } from '@casewatch/contracts';
import type { LaneName, NotifierContext } from '../context.ts';
import { type Lane, startLane } from './lane.ts';
import { startRecovery } from './recover.ts';
import { sendLeaseMs } from './send-lease.ts';
import { sendMail } from './send-mail.ts';
import { askLeaseMs, sendNotification } from './send-notification.ts';

/** How many go out at once, per lane and process; also the size of the lane's connection pool. */
export const concurrency: Readonly<Record<LaneName, number>> = { email: 5, whatsapp: 5, mails: 5 };

/** Starts everything that sends: a lane per channel, one for account mails, and the recovery of what was interrupted. */
export function startLanes(ctx: NotifierContext): { wake(lane: LaneName): void; stop(): Promise<void> } {
  const lanes: Record<LaneName, Lane> = {
    email: notificationLane(ctx, 'email'),
    whatsapp: notificationLane(ctx, 'whatsapp'),
    mails: startLane({
      log: ctx.log,
      name: 'mails',
      concurrency: concurrency.mails,
      claim: () => ctx.mails.claim(sendLeaseMs(ctx.config)),
      handle: (row) => sendMail(ctx, row),
    }),
  };
  const recovery = startRecovery(ctx);
  return {
    wake: (lane) => lanes[lane].wake(),
    async stop() {
      await Promise.all([...Object.values(lanes), recovery].map((one) => one.stop()));
    },
  };
}

function notificationLane(ctx: NotifierContext, channel: Channel): Lane {
  return startLane({
    log: ctx.log,
    name: channel,
    concurrency: concurrency[channel],
    async claim() {
      if (!ctx.circuits[channel].allows(performance.now())) return null;
      return await ctx.notifications.claim(channel, askLeaseMs);
    },
    handle: (row) => sendNotification(ctx, row),
  });
}
