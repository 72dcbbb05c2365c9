import type { Channel } from '@casewatch/contracts';
import { databaseTimeIn, hasPassed, isDuplicateKey } from '@casewatch/platform';
import mongoose from 'mongoose';
import type { Expected, NotificationModel, NotificationRow } from './notification-row.ts';

/** A row that a transaction holds is left alone for this long, ms; one whose client was killed holds it for a minute. */
const heldMs = 5_000;

/** How long a claim waits for a row that a transaction holds, ms. */
const claimWaitMs = 1_000;

/** MongoDB's code for an operation that took longer than its maxTimeMS. */
const maxTimeExpired = 50;

/** A claimed case stands in the way of its next message for this long at a time, ms. */
const blockedMs = 500;

/** Claims the longest due row of a channel whose case has none in flight. It is still `pending`. */
export function createClaim(model: NotificationModel) {
  /** Rows that a transaction held a moment ago, and until when they are left alone, monotonic ms. */
  const held = new Map<string, number>();

  function heldIds(): string[] {
    const nowMs = performance.now();
    for (const [id, until] of held) if (until <= nowMs) held.delete(id);
    return [...held.keys()];
  }

  async function nextDue(channel: Channel): Promise<NotificationRow | null> {
    const due: mongoose.QueryFilter<NotificationRow> = {
      _id: { $nin: heldIds() },
      channel,
      status: 'pending',
      ...hasPassed('next_attempt_at'),
      $or: [{ lease_until: null }, hasPassed('lease_until')],
    };
    return await model.findOne(due).sort({ next_attempt_at: 1 }).lean<NotificationRow>();
  }

  /** Null: the row cannot be claimed now; another one may be. */
  async function take(row: NotificationRow, leaseMs: number): Promise<NotificationRow | null> {
    const same: Expected = { _id: row._id, status: 'pending', fence: row.fence };
    const claimed = {
      lease_until: databaseTimeIn(leaseMs),
      in_flight: `${row.case_id}:${row.channel}`,
      fence: { $add: ['$fence', 1] },
    };
    try {
      return await model
        .findOneAndUpdate(same, [{ $set: claimed }], {
          returnDocument: 'after',
          maxTimeMS: claimWaitMs,
          updatePipeline: true,
        })
        .lean<NotificationRow>();
    } catch (error) {
      if (isHeld(error)) {
        held.set(row._id, performance.now() + heldMs);
        return null;
      }
      if (!isDuplicateKey(error, 'in_flight')) throw error;
      const later = [{ $set: { next_attempt_at: databaseTimeIn(blockedMs) } }];
      await model.updateOne(same, later, { updatePipeline: true });
      return null;
    }
  }

  return async (channel: Channel, leaseMs: number): Promise<NotificationRow | null> => {
    for (;;) {
      const due = await nextDue(channel);
      if (due === null) return null;
      const claimed = await take(due, leaseMs);
      if (claimed) return claimed;
    }
  };
}

function isHeld(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === maxTimeExpired;
}
