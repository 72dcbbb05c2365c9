import type { Channel, NotifyStatus } from '@casewatch/contracts';
import type { Position } from '@casewatch/platform';
import {
  type Connection,
  collection,
  createRowReader,
  findRow,
  findRows,
  insertRows,
  type Session,
} from '@casewatch/platform/database';
import { type ChannelState, firstChannelState, type Observed, wasSent } from '../rules/status-update.ts';

type NotifyRow = {
  notified: 0 | 1;
  email_notify_status: NotifyStatus;
  whatsapp_notify_status: NotifyStatus;
  email_notify_attempts: number;
  whatsapp_notify_attempts: number;
  email_notify_last_error: string | null;
  whatsapp_notify_last_error: string | null;
  email_notify_sent_at: Date | null;
  whatsapp_notify_sent_at: Date | null;
  email_notify_revision: number;
  whatsapp_notify_revision: number;
};

/** Without `observation` the row is incomplete: only a notification has come. */
export type StatusUpdateRow = Observed & NotifyRow & { _id: number; case_id: number };

const statusUpdates = collection<StatusUpdateRow>('status_updates', Number, [
  { name: 'of_case', keys: { case_id: 1, observation: -1, _id: -1 } },
]);

export type CompleteUpdate = { id: number; caseId: number; observed: Observed; channel: ChannelState };

export type Touched = { case_id: number; status_update_id: number };

export function createStatusUpdateStore(db: Connection) {
  const model = statusUpdates(db);
  const readRow = createRowReader(model);
  return {
    ...channelQueries(model),

    async find(id: number, session: Session | null = null): Promise<StatusUpdateRow | null> {
      return session === null ? await readRow(id) : await findRow(model, id, session);
    },

    /** Complete updates of a case, newest first. */
    async page(
      caseId: number,
      { after, limit }: { after: Position | null; limit: number },
    ): Promise<StatusUpdateRow[]> {
      const older = after && rowsAfter(after);
      const filter = { case_id: caseId, observation: { $gte: 1 }, ...(older && { $or: older }) };
      return await findRows(model, filter, { sort: { observation: -1, _id: -1 }, limit });
    },

    async insert(session: Session, update: CompleteUpdate): Promise<StatusUpdateRow> {
      const row = rowOf(update);
      await insertRows(model, [row], session);
      return row;
    },

    /** Completes a row that a notification began. Reported channels keep their state. */
    async complete(
      session: Session,
      row: StatusUpdateRow,
      { observed, channel }: Omit<CompleteUpdate, 'id' | 'caseId'>,
    ) {
      const set = {
        ...observed,
        ...(row.email_notify_revision === 0 && channelFields('email', channel)),
        ...(row.whatsapp_notify_revision === 0 && channelFields('whatsapp', channel)),
      };
      await model.updateOne({ _id: row._id }, { $set: set }, { session });
    },

    /** USCIS touched these updates; never back in time. Returns those that are not stored, or not complete. */
    async touch(updates: readonly Touched[], at: Date): Promise<Touched[]> {
      const ids = updates.map(({ status_update_id }) => status_update_id);
      const complete = { _id: { $in: ids }, observation: { $gte: 1 } };
      await model.updateMany(complete, { $max: { touched_at: at } });
      const rows = await model.find(complete, { _id: 1 }).lean<{ _id: number }[]>();
      const stored = new Set(rows.map(({ _id }) => _id));
      return updates.filter(({ status_update_id }) => !stored.has(status_update_id));
    },

    /** Returns the number of erased updates. */
    async eraseSome(caseIds: number[], limit: number): Promise<number> {
      const rows = await model
        .find({ case_id: { $in: caseIds } }, { _id: 1 })
        .limit(limit)
        .lean();
      const { deletedCount } = await model.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
      return deletedCount;
    },

    async eraseOf(session: Session, caseIds: number[]): Promise<void> {
      await model.deleteMany({ case_id: { $in: caseIds } }, { session });
    },
  };
}

function channelQueries(model: ReturnType<typeof statusUpdates>) {
  return {
    /** False if there is no row with an older revision. */
    async setChannel(
      { id, caseId, channel }: { id: number; caseId: number; channel: Channel },
      state: ChannelState,
    ): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { _id: id, case_id: caseId, [`${channel}_notify_revision`]: { $lt: state.revision } },
        { $set: reportedFields(channel, state), $max: { notified: wasSent(state) ? 1 : 0 } },
      );
      return matchedCount === 1;
    },

    async insertIfMissing(
      session: Session,
      { id, caseId, channel, state }: { id: number; caseId: number; channel: Channel; state: ChannelState },
    ): Promise<void> {
      const row = {
        case_id: caseId,
        ...bothChannels(firstChannelState(null)),
        ...channelFields(channel, state),
        notified: wasSent(state) ? 1 : 0,
      } as const;
      await model.updateOne({ _id: id }, { $setOnInsert: row }, { session, upsert: true });
    },
  };
}

function rowOf({ id, caseId, observed, channel }: CompleteUpdate): StatusUpdateRow {
  return { _id: id, case_id: caseId, ...observed, ...bothChannels(channel) };
}

function bothChannels(state: ChannelState): NotifyRow {
  return { notified: 0, ...channelFields('email', state), ...channelFields('whatsapp', state) } as NotifyRow;
}

function channelFields(channel: Channel, state: ChannelState): Partial<NotifyRow> {
  return {
    [`${channel}_notify_status`]: state.status,
    [`${channel}_notify_attempts`]: state.attempts,
    [`${channel}_notify_last_error`]: state.last_error,
    [`${channel}_notify_sent_at`]: state.sent_at,
    [`${channel}_notify_revision`]: state.revision,
  };
}

/** `sent_at` never goes back to null. */
function reportedFields(channel: Channel, state: ChannelState): Partial<NotifyRow> {
  const fields = channelFields(channel, state);
  if (state.sent_at === null) delete fields[`${channel}_notify_sent_at`];
  return fields;
}

function rowsAfter([observation, id]: Position) {
  const at = Number(observation);
  return [{ observation: { $lt: at } }, { observation: at, _id: { $lt: id } }];
}
