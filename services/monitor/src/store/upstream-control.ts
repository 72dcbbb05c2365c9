import type { Connection } from '@casewatch/platform';
import mongoose from 'mongoose';
import type { Health } from '../domain/upstream-health.ts';

/** How the government's service stands, as the one that sends last said. */
export type UpstreamView = 'open' | 'closed' | 'unreachable';

/** The operator's word, and the sender's. */
export type Control = {
  /** Since when nothing is sent, because the operator said so. */
  paused_at: Date | null;
  upstream: UpstreamView;
  /** On the database's clock. */
  sender_seen_at: Date | null;
  /** What a sender that takes over goes on from. */
  health: Health | null;
};

type ControlRow = Partial<Control> & { _id: 'government' };

const schema = new mongoose.Schema<ControlRow>(
  {
    _id: String,
    paused_at: Date,
    upstream: String,
    sender_seen_at: Date,
    health: mongoose.Schema.Types.Mixed,
  },
  { versionKey: false, id: false, collection: 'upstream_control' },
);

const _id = 'government';

/** The collection `upstream_control`: one row, by which the operator, the sender and who asks for the status meet. */
export function createControlStore(db: Connection) {
  const model = db.model<ControlRow>('upstream_control', schema);
  return {
    async read(): Promise<Control> {
      return whole(await model.findById(_id).lean<ControlRow>());
    },

    /** Notes that somebody sends and how the government's service fares; returns what the operator said. */
    async noteSender(said: { upstream: UpstreamView; health: Health }): Promise<Control> {
      const { upstream, health } = said;
      const change = { $set: { upstream, health }, $currentDate: { sender_seen_at: true as const } };
      const options = { upsert: true, returnDocument: 'after' as const };
      return whole(await model.findOneAndUpdate({ _id }, change, options).lean<ControlRow>());
    },

    /** Nothing is sent from now on (pausedAt), or again (null). */
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
  };
}
