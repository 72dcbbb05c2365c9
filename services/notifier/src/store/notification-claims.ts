import type { Channel } from '@casewatch/contracts';
import { databaseTimeIn, hasPassed, isDuplicateKey, type Session } from '@casewatch/platform';
import mongoose from 'mongoose';
import type {
  Expected,
  NotificationChange,
  NotificationModel,
  NotificationRow,
} from './notification-model.ts';

/** A row that a transaction locks is not tried again for this long, ms. A killed client holds its lock for a minute. */
const lockedDelayMs = 5_000;
/** Longest wait for a row that a transaction locks, ms. */
const claimWaitMs = 1_000;
/** MongoDB's code for an operation that took longer than its maxTimeMS. */
const maxTimeExpired = 50;
/** Delay of a message whose case has another one in flight, ms. */
const inFlightDelayMs = 500;

/** Claims of notifications: a sender that lost its claim changes nothing. */
export function claimQueries(model: NotificationModel) {
  return {
    claim: createClaim(model),

    /** Ends a claim without an attempt. */
    async release({ _id, fence }: NotificationRow, dueInMs: number): Promise<void> {
      const due = { next_attempt_at: databaseTimeIn(dueInMs), lease_until: null };
      const change = [{ $set: due }, { $unset: 'in_flight' }];
      await model.updateOne({ _id, status: 'pending', fence }, change, { updatePipeline: true });
    },

    /** Counts the attempt before the submission. Null if the claim was lost. */
    async startAttempt({ _id, fence }: NotificationRow, leaseMs: number): Promise<NotificationRow | null> {
      const attempt = {
        status: 'sending',
        lease_until: databaseTimeIn(leaseMs),
        attempt_started_at: '$$NOW',
        attempts: { $add: ['$attempts', 1] },
      };
      const options = { returnDocument: 'after', updatePipeline: true } as const;
      return await model
        .findOneAndUpdate({ _id, status: 'pending', fence }, [{ $set: attempt }], options)
        .lean<NotificationRow>();
    },

    /** Ends the claim. Null if the row is not as expected. */
    async change(
      session: Session,
      expected: Expected,
      { dueInMs, ...fields }: NotificationChange,
    ): Promise<NotificationRow | null> {
      const times = {
        next_attempt_at: dueInMs === null ? null : databaseTimeIn(dueInMs),
        lease_until: null,
        revision: { $add: ['$revision', 1] },
      };
      // $literal: a provider's text may begin with `$`.
      const row = { $mergeObjects: ['$$ROOT', { $literal: fields }, times] };
      const options = { session, returnDocument: 'after', updatePipeline: true } as const;
      return await model
        .findOneAndUpdate(expected, [{ $replaceWith: row }, { $unset: 'in_flight' }], options)
        .lean<NotificationRow>();
    },

    /** Rows whose sender died while sending. */
    async interrupted(limit: number): Promise<NotificationRow[]> {
      const ended = { status: 'sending', ...hasPassed('lease_until') } as const;
      return await model.find(ended).limit(limit).lean<NotificationRow[]>();
    },
  };
}

/** Claims the row of a channel that is due longest and whose case has no row in flight. The row stays `pending`. */
function createClaim(model: NotificationModel) {
  /** Ids of locked rows, and until when they are skipped: monotonic ms. */
  const locked = new Map<string, number>();

  function lockedIds(): string[] {
    const nowMs = performance.now();
    for (const [id, until] of locked) if (until <= nowMs) locked.delete(id);
    return [...locked.keys()];
  }

  async function nextDue(channel: Channel): Promise<NotificationRow | null> {
    const due: mongoose.QueryFilter<NotificationRow> = {
      _id: { $nin: lockedIds() },
      channel,
      status: 'pending',
      ...hasPassed('next_attempt_at'),
      $or: [{ lease_until: null }, hasPassed('lease_until')],
    };
    return await model.findOne(due).sort({ next_attempt_at: 1 }).lean<NotificationRow>();
  }

  /** Null if the row cannot be claimed now. */
  async function claimRow(row: NotificationRow, leaseMs: number): Promise<NotificationRow | null> {
    const unchanged: Expected = { _id: row._id, status: 'pending', fence: row.fence };
    const claim = {
      lease_until: databaseTimeIn(leaseMs),
      in_flight: `${row.case_id}:${row.channel}`,
      fence: { $add: ['$fence', 1] },
    };
    const options = { returnDocument: 'after', maxTimeMS: claimWaitMs, updatePipeline: true } as const;
    try {
      return await model.findOneAndUpdate(unchanged, [{ $set: claim }], options).lean<NotificationRow>();
    } catch (error) {
      if (isLocked(error)) {
        locked.set(row._id, performance.now() + lockedDelayMs);
        return null;
      }
      if (!isDuplicateKey(error, 'in_flight')) throw error;
      const delay = [{ $set: { next_attempt_at: databaseTimeIn(inFlightDelayMs) } }];
      await model.updateOne(unchanged, delay, { updatePipeline: true });
      return null;
    }
  }

  return async (channel: Channel, leaseMs: number): Promise<NotificationRow | null> => {
    for (;;) {
      const due = await nextDue(channel);
      if (due === null) return null;
      const claimed = await claimRow(due, leaseMs);
      if (claimed) return claimed;
    }
  };
}

function isLocked(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === maxTimeExpired;
}
