import type { NotifyStatus, WebhookEventType } from '@casewatch/contracts';
import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { takeIn } from './take-in.ts';

/** Delivered without a `sent` before it: the news was overtaken, and is the same to a partner. */
const eventOf: Partial<Record<NotifyStatus, WebhookEventType>> = {
  sent: 'notification.sent',
  delivered: 'notification.sent',
  failed: 'notification.failed',
};

/** `notification.updated` → `notification.sent` or `notification.failed`, once per StatusUpdate and channel. */
export function onNotificationUpdated(ctx: Context): EventHandler<'notification.updated'> {
  return async (data, bus) => {
    const type = eventOf[data.status];
    // Partners know the channels of this release.
    if (!type || data.channel === 'other') return;
    const { partner_id: partnerId, ...notification } = data;
    await takeIn(ctx, {
      type,
      partnerId,
      userId: data.user_id,
      bus,
      dedupeKey: `${type}:${data.status_update_id}:${data.channel}`,
      describe: async () => ({ notification }),
    });
  };
}
