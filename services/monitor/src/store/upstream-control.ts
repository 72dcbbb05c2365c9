import { type Connection, collection } from '@casewatch/platform';
import type { Refusals } from '../domain/refusals.ts';
import type { Health } from '../domain/upstream-health.ts';

export type UpstreamView = 'open' | 'closed' | 'unreachable';

export type Control = {
  paused_at: Date | null;
  upstream: UpstreamView;
  /** By the clock of the database. */
  sender_seen_at: Date | null;
  health: Health | null;
  refusals: Refusals;
};

type SenderNote = Pick<Control, 'upstream' | 'health' | 'refusals'>;

type ControlRow = Partial<Control> & { _id: 'government' };

const upstreamControl = collection<ControlRow>('upstream_control', String);

const _id = 'government';

/** The collection `upstream_control`: one row with the orders of the operator and the state of the sender. */
export function createControlStore(db: Connection) {
  const model = upstreamControl(db);
  return {
    async read(): Promise<Control> {
      return whole(await model.findById(_id).lean<ControlRow>());
    },

    /** Stores the heartbeat and state of the sender; returns the orders of the operator. */
    async noteSender({ upstream, health, refusals }: SenderNote): Promise<Control> {
      const change = {
        $set: { upstream, health, refusals },
        $currentDate: { sender_seen_at: true as const },
      };
      const options = { upsert: true, returnDocument: 'after' as const };
      return whole(await model.findOneAndUpdate({ _id }, change, options).lean<ControlRow>());
    },

    async setPaused(pausedAt: Date | null): Promise<void> {
      await model.updateOne({ _id }, { $set: { paused_at: pausedAt } }, { upsert: true });
    },
  };
}

function whole(row: ControlRow | null): Control {
  return {
    paused_at: row?.paused_at ?? null,
    upstream: row?.upstream ?? 'unreachable',
    sender_seen_at: row?.sender_seen_at ?? null,
    health: row?.health ?? null,
    refusals: row?.refusals ?? {},
  };
}
