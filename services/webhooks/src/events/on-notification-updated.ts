import type { NotifyStatus } from '@casewatch/contracts';
import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { ingestEvent } from './ingest-event.ts';

/** `delivered` may come before `sent`; both are one event for partners. */
const eventOf: Partial<Record<NotifyStatus, 'notification.sent' | 'notification.failed'>> = {
  sent: 'notification.sent',
  delivered: 'notification.sent',
  failed: 'notification.failed',
};

/** Publishes each type once per StatusUpdate and channel. */
export function onNotificationUpdated(ctx: Context): EventHandler<'notification.updated'> {
  return async (data, bus) => {
    const type = eventOf[data.status];
    const { partner_id, channel, ...rest } = data;
    if (!type || channel === 'other') return;
    await ingestEvent(ctx, {
      type,
      owner: data,
      bus,
      dedupeKey: `${type}:${data.status_update_id}:${data.channel}`,
      describe: async () => ({ notification: { ...rest, channel } }),
    });
  };
}
