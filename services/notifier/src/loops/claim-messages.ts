import { randomUUID } from 'node:crypto';
import type { Channel } from '@casewatch/contracts';
import type { Context } from '../context.ts';
import type { Claimed, ClaimedMessage } from './claimed-message.ts';
import { createLowWaterMark } from './low-water-mark.ts';
import { prepareMessages } from './prepare-messages.ts';
import { recipientLeaseMs } from './retry-write.ts';

/** Rows read for each wanted recipient: several rows may be of one person. */
const rowsPerRecipient = 8;
/** How long a person whom another replica has claimed is left out, ms. */
const elsewhereMs = 500;

/** Claims the people of a channel whose notifications are due longest, in batches. */
export function createClaims(ctx: Context, channel: Channel) {
  const mark = createLowWaterMark();
  /** People in work, with the due time of their oldest row. */
  const busy = new Map<number, Date>();
  /** People who are left out until a monotonic time in ms, with the due time of their oldest row. */
  const elsewhere = new Map<number, { until: number; oldest: Date }>();

  function leaveOut(userId: number, ms: number, oldest = busy.get(userId) ?? new Date(0)): void {
    elsewhere.set(userId, { until: performance.now() + ms, oldest });
    ctx.alarms.set(channel, ms);
  }

  function withoutUsers(): number[] {
    for (const [userId, { until, oldest }] of elsewhere) {
      if (until > performance.now()) continue;
      elsewhere.delete(userId);
      // Rows of others may have raised the mark meanwhile.
      mark.lower(oldest);
    }
    return [...busy.keys(), ...elsewhere.keys()];
  }

  async function claimPeople(limit: number): Promise<Claimed[]> {
    const without = withoutUsers();
    const look = { channel, from: mark.from(), without };
    const due = await ctx.stores.notifications.due(look, limit * rowsPerRecipient);
    if (due[0]) mark.raise(due[0].next_attempt_at);
    const oldest = new Map(due.toReversed().map((row) => [row.user_id, row.next_attempt_at]));
    const userIds = [...new Set(due.map(({ user_id }) => user_id))].slice(0, limit);
    if (userIds.length === 0) return [];
    const claimedAt = performance.now();
    const token = randomUUID();
    const lease = { token, leaseMs: recipientLeaseMs(ctx.config) };
    const recipients = await ctx.stores.recipients.claimAll({ userIds, channel }, lease);
    for (const { user_id } of recipients) busy.set(user_id, oldest.get(user_id) ?? new Date(0));
    for (const userId of userIds) {
      if (!busy.has(userId)) leaveOut(userId, elsewhereMs, oldest.get(userId));
    }
    return recipients.map((recipient) => ({ recipient, token, claimedAt }));
  }

  function forget(userId: number): void {
    const oldest = busy.get(userId);
    if (oldest) mark.lower(oldest);
    busy.delete(userId);
  }

  return {
    leaveOut,
    forget,
    async claim(limit: number): Promise<ClaimedMessage[]> {
      const people = await claimPeople(limit);
      if (people.length === 0) return [];
      let messages: ClaimedMessage[] = [];
      try {
        messages = await prepareMessages(ctx, { channel, limit, claimed: people }, leaveOut);
      } finally {
        // A failed release ends with the claim.
        const kept = new Set(messages.map(({ user }) => user.id));
        const others = people.filter(({ recipient }) => !kept.has(recipient.user_id));
        for (const { recipient } of others) forget(recipient.user_id);
        await ctx.stores.recipients.releaseAll(
          others.map(({ recipient: { user_id }, token }) => ({
            userId: user_id,
            channel,
            claim: token,
            messages: 0,
            address: null,
          })),
        );
      }
      return messages;
    },
  };
}
