import type { Channel, Person } from '@casewatch/contracts';
import { createMac } from '@casewatch/platform';
import { unsubscribeToken } from '../../src/domain/unsubscribe-token.ts';
import type { TestNotifier } from './start-notifier.ts';

/** Links to unsubscribe from a notifier's messages, and what they change. */
export function optOutsOf(notifier: TestNotifier) {
  const key = createMac(notifier.config.NOTIFIER_HMAC_KEY, 'unsubscribe links');
  return {
    linkOf(id: number, channel: Channel = 'email'): string {
      return `${notifier.publicUrl}/v1/unsubscribe?token=${unsubscribeToken(key, id, channel)}`;
    },
    async suppression(id: number, channel: Channel = 'email') {
      const rows = notifier.db.collection<{ _id: string; at: Date }>('suppressions');
      return await rows.findOne({ _id: `${id}:${channel}` });
    },
    /** What was published, or waits to be, about a user. */
    async optOuts(id: number): Promise<{ channel: Channel; at: string }[]> {
      const rows = await notifier.db.collection('outbox').find({ type: 'contact.opted_out' }).toArray();
      return rows.map((row) => JSON.parse(String(row.body)).data).filter((data) => data.user_id === id);
    },
    change(user: Person, over: Partial<Person>): void {
      const updated_at = new Date(Date.now() + 1).toISOString();
      notifier.users.set(user.id, { ...user, updated_at, version: user.version + 1, ...over });
    },
  };
}
