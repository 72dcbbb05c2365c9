import type { Channel, MonitoringState, NotifyStatus, Reviewer } from '@casewatch/contracts';
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
import {
  type Change,
  type ChannelState,
  firstChannelState,
  type Observed,
  wasSent,
} from '../rules/status-update.ts';
import type { OfStaff } from './acknowledgements.ts';

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

/**
 * Without `observation` the row is incomplete: only a notification has come, or the row is a state of monitoring
 * (`MonitoringChangeRow`). `change`: missing in what is no change, and in cases of direct users.
 */
export type StatusUpdateRow = Observed & NotifyRow & { _id: number; case_id: number; change?: Change };

/** A state of monitoring beside the status updates of its case: listed, reviewed and erased as they are. */
export type MonitoringChangeRow = {
  _id: number;
  case_id: number;
  change: Change;
  monitoring: { state: MonitoringState; since: Date };
};

export type ChangeRow = (StatusUpdateRow & { change: Change }) | MonitoringChangeRow;

/** Matches the rows of the indexes of changes. */
const anyTime = { $gt: new Date(0) };
const ofChanges = { partialFilterExpression: { 'change.at': anyTime } };
const changeKeys = { 'change.urgent': 1, 'change.reviewed': 1, 'change.at': 1, _id: 1 } as const;

const statusUpdates = collection<StatusUpdateRow>('status_updates', Number, [
  { name: 'of_case', keys: { case_id: 1, observation: -1, _id: -1 } },
  // A list names every value of `urgent` and `reviewed`, so that each index has the order of time (`findChanges`).
  { name: 'changes', keys: { 'change.partner_id': 1, ...changeKeys }, ...ofChanges },
  {
    name: 'changes_by_assignee',
    keys: { 'change.partner_id': 1, 'change.assignee_id': 1, ...changeKeys },
    partialFilterExpression: { 'change.at': anyTime, 'change.assignee_id': { $gt: 0 } },
  },
  { name: 'changes_by_category', keys: { 'change.partner_id': 1, category: 1, ...changeKeys }, ...ofChanges },
  {
    name: 'reviews_of_staff',
    keys: { 'change.reviewed_by.id': 1, _id: 1 },
    partialFilterExpression: { 'change.reviewed_by.kind': 'staff' },
  },
]);

export type CompleteUpdate = {
  id: number;
  caseId: number;
  observed: Observed;
  channel: ChannelState;
  change: Change | null;
};

/** Which changes a list shows; undefined: all. */
export type ChangeFilter = {
  since?: Date | undefined;
  until?: Date | undefined;
  category?: string[] | undefined;
  urgent?: boolean | undefined;
  assignee_id?: number | undefined;
  reviewed?: boolean | undefined;
};

export type ChangePage = {
  partnerId: number;
  filter: ChangeFilter;
  direction: 1 | -1;
  /** Only changes before this time. */
  before: Date | null;
  after: Position | null;
  limit: number;
};

export type Touched = { case_id: number; status_update_id: number };

export function createStatusUpdateStore(db: Connection) {
  const model = statusUpdates(db);
  const readRow = createRowReader(model);
  return {
    ...channelQueries(model),
    ...changeQueries(model),

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
      { observed, channel, change }: Omit<CompleteUpdate, 'id' | 'caseId'>,
    ) {
      const set = {
        ...observed,
        ...(change && { change }),
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

function changeQueries(model: ReturnType<typeof statusUpdates>) {
  return {
    async insertMonitoringChange(session: Session, row: MonitoringChangeRow): Promise<void> {
      await insertRows(model, [row as unknown as StatusUpdateRow], session);
    },

    /** One page of a partner's changes. The hint keeps the order of the index, whatever the filter. */
    async findChanges({
      partnerId,
      filter,
      direction,
      before,
      after,
      limit,
    }: ChangePage): Promise<ChangeRow[]> {
      const { since, until, category, urgent, assignee_id, reviewed } = filter;
      const conditions = [
        { 'change.partner_id': partnerId, 'change.at': anyTime },
        { 'change.urgent': { $in: valuesOf(urgent) }, 'change.reviewed': { $in: valuesOf(reviewed) } },
        ...(category ? [{ category: { $in: category } }] : []),
        ...(assignee_id ? [{ 'change.assignee_id': assignee_id }] : []),
        ...(since ? [{ 'change.at': { $gte: since } }] : []),
        ...(until ? [{ 'change.at': { $lte: until } }] : []),
        ...(before ? [{ 'change.at': { $lt: before } }] : []),
        ...(after ? changesAfter(direction, after) : []),
      ];
      const sort = { 'change.at': direction, _id: direction };
      const hint = assignee_id ? 'changes_by_assignee' : category ? 'changes_by_category' : 'changes';
      const found = await findRows(model, { $and: conditions }, { sort, limit, hint });
      return found as unknown as ChangeRow[];
    },

    /** Who works on the cases, in the cases' own transaction. */
    async setAssignee(
      session: Session,
      caseIds: readonly number[],
      assigneeId: number | null,
    ): Promise<void> {
      const changes = { case_id: { $in: [...caseIds] }, 'change.at': anyTime };
      await model.updateMany(changes, { $set: { 'change.assignee_id': assigneeId } }, { session });
    },

    /** Ids of the changes of a case that nobody has reviewed, newest first. */
    async unreviewedOf(session: Session, caseId: number): Promise<number[]> {
      const filter = { case_id: caseId, 'change.reviewed': false };
      const rows = await findRows<StatusUpdateRow, { _id: number }>(model, filter, {
        session,
        projection: { _id: 1 },
        hint: 'of_case',
      });
      return rows.map(({ _id }) => _id);
    },

    /** Which of the ids are changes of the partner. */
    async changesAmong(session: Session, partnerId: number, ids: readonly number[]): Promise<ChangeRow[]> {
      const filter = { _id: { $in: [...ids] }, 'change.partner_id': partnerId };
      return (await findRows(model, filter, { session })) as unknown as ChangeRow[];
    },

    /** Changes that a member of staff reviewed, by id, after an id. */
    async reviewsOf({ partnerId, staffId, after, limit }: OfStaff): Promise<ChangeRow[]> {
      const by = { 'change.reviewed_by.kind': 'staff', 'change.reviewed_by.id': staffId } as const;
      const filter = { ...by, 'change.partner_id': partnerId, _id: { $gt: after } };
      return (await model
        .find(filter, { case_id: 1, change: 1 })
        .sort({ _id: 1 })
        .limit(limit)
        .lean()) as unknown as ChangeRow[];
    },

    /** Null: not reviewed. What is so already stays as it is. */
    async setReviewed(
      session: Session,
      ids: readonly number[],
      review: { at: Date; by: Reviewer } | null,
    ): Promise<void> {
      const set = {
        'change.reviewed': review !== null,
        'change.reviewed_at': review?.at ?? null,
        'change.reviewed_by': review?.by ?? null,
      };
      const others = { _id: { $in: [...ids] }, 'change.reviewed': review === null };
      await model.updateMany(others, { $set: set }, { session });
    },
  };
}

function valuesOf(filter: boolean | undefined): boolean[] {
  return filter === undefined ? [true, false] : [filter];
}

function changesAfter(direction: 1 | -1, [time, id]: Position) {
  const at = new Date(String(time));
  const [later, notBefore] = direction === 1 ? ['$gt', '$gte'] : ['$lt', '$lte'];
  return [
    { 'change.at': { [notBefore as string]: at } },
    { $or: [{ 'change.at': { [later as string]: at } }, { _id: { [later as string]: id } }] },
  ];
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

function rowOf({ id, caseId, observed, channel, change }: CompleteUpdate): StatusUpdateRow {
  return { _id: id, case_id: caseId, ...observed, ...bothChannels(channel), ...(change && { change }) };
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
