import { type Connection, collection } from '@casewatch/platform/database';
import type { Refusals } from '../domain/outcome.ts';
import type { Quantiles } from '../domain/quantiles.ts';
import type { Health } from '../domain/upstream-state.ts';

export type UpstreamView = 'open' | 'closed' | 'unreachable';

/** Of the last changes that one sender has seen, seconds. */
export type DetectionDelay = Quantiles & { changes: number };

export type Control = typeof unknown;

type ControlRow = Partial<Control> & { _id: 'government' };

type SenderNote = Pick<Control, 'upstream' | 'health' | 'refusals' | 'answered_at' | 'detection'>;

const upstreamControl = collection<ControlRow>('upstream_control', String);

const _id = 'government';

const unknown = {
  paused_at: null as Date | null,
  /** Latest order to probe USCIS, by the clock of the database. */
  probe_asked_at: null as Date | null,
  upstream: 'unreachable' as UpstreamView,
  /** By the clock of the database. */
  sender_seen_at: null as Date | null,
  health: null as Health | null,
  refusals: {} as Refusals,
  /** The last answer about a receipt, of whichever sender. */
  answered_at: null as Date | null,
  detection: null as DetectionDelay | null,
};

export function createControlStore(db: Connection) {
  const model = upstreamControl(db);
  return {
    async read(): Promise<Control> {
      return { ...unknown, ...(await model.findById(_id).lean<ControlRow>()) };
    },

    /** Stores the heartbeat and state of the sender; returns the orders of the operator. Without `detection`, the former one stays. */
    async noteSender({ detection, ...state }: SenderNote): Promise<Control> {
      const seenNow = { $currentDate: { sender_seen_at: true as const } };
      const change = { $set: { ...state, ...(detection && { detection }) }, ...seenNow };
      const options = { upsert: true, returnDocument: 'after' as const };
      return { ...unknown, ...(await model.findOneAndUpdate({ _id }, change, options).lean<ControlRow>()) };
    },

    async setPaused(pausedAt: Date | null): Promise<void> {
      await model.updateOne({ _id }, { $set: { paused_at: pausedAt } }, { upsert: true });
    },

    /** The sender sees the order with its next heartbeat. */
    async askForProbe(): Promise<void> {
      await model.updateOne({ _id }, { $currentDate: { probe_asked_at: true } }, { upsert: true });
    },
  };
}
