import type { Channel, MonitoringState, NotifyStatus, RespondBy, Reviewer } from '@casewatch/contracts';
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
import type { QueryFilter } from 'mongoose';
import {
  type Change,
  type ChannelState,
  firstChannelState,
  type Observed,
  type StaffAlert,
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
export type StatusUpdateRow = Observed &
  NotifyRow & {
    _id: number;
    case_id: number;
    change?: Change;
    /** By the id of the member. Missing: nobody is told. */
    alerts?: Readonly<Record<number, StaffAlert>>;
  };

/** A state of monitoring beside the status updates of its case: listed, reviewed and erased as they are. */
export type MonitoringChangeRow = {
  _id: number;
  case_id: number;
  change: Change;
  monitoring: { state: MonitoringState; since: Date };
  alerts?: Readonly<Record<number, StaffAlert>>;
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

/** A member of a firm. `scope` mine: the own cases, and those on which nobody works. */
export type Reader = { partnerId: number; staffId: number; scope: 'mine' | 'all' } & Colleagues;

/** The firm's active members: nobody works on the cases of all others. Null: on those without an assignee. */
export type Colleagues = { activeIds: readonly number[] | null };

/** As a filter of the assignee: cases on which nobody works. */
export function ofNobody({ activeIds }: Colleagues): object | null {
  return activeIds && { $nin: [...activeIds] };
}

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

    /** The day for an answer, in the transaction of its case. */
    async setRespondBy(session: Session, id: number, respond_by: RespondBy | null): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { respond_by } }, { session });
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

    /** What nobody has reviewed, for a member: urgent changes first, then the newest. */
    async findUnreviewed({ limit, ...reader }: Reader & { limit: number }): Promise<ChangeRow[]> {
      const found: ChangeRow[] = [];
      for (const urgent of [true, false]) {
        const left = limit - found.length;
        if (left <= 0) break;
        const reading = { sort: { 'change.at': -1, _id: -1 }, limit: left } as const;
        const lists = await Promise.all(
          listsOf(reader).map(({ filter, hint }) =>
            findRows(model, { ...unreviewed(reader, [urgent]), ...filter }, { ...reading, hint }),
          ),
        );
        const newestFirst = (lists.flat() as unknown as ChangeRow[]).toSorted(
          (a, b) => b.change.at.getTime() - a.change.at.getTime() || b._id - a._id,
        );
        found.push(...newestFirst.slice(0, left));
      }
      return found;
    },

    /** How many those are. Each count reads keys of an index alone: changes of nobody are all without those of somebody. */
    async countUnreviewed(reader: Reader): Promise<number> {
      const count = async (assignee: object | null) => {
        const ofAssignee = assignee && { 'change.assignee_id': assignee };
        return await model
          .countDocuments({ ...unreviewed(reader, [true, false]), ...ofAssignee } as object)
          .hint(assignee ? 'changes_by_assignee' : 'changes');
      };
      if (reader.scope === 'all') return await count(null);
      const [all, own, ofSomebody] = await Promise.all([
        count(null),
        count({ $eq: reader.staffId }),
        count(reader.activeIds ? { $in: [...reader.activeIds] } : { $gt: 0 }),
      ]);
      return Math.max(own, all - ofSomebody + own);
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

/** The lists of changes that a member sees, each with the index that has its order. */
function listsOf({ staffId, scope, activeIds }: Reader): { filter: object; hint: string }[] {
  if (scope === 'all') return [{ filter: {}, hint: 'changes' }];
  return [
    { filter: { 'change.assignee_id': staffId }, hint: 'changes_by_assignee' },
    { filter: { 'change.assignee_id': ofNobody({ activeIds }) }, hint: 'changes' },
  ];
}

function unreviewed({ partnerId }: Reader, urgent: readonly boolean[]) {
  return {
    'change.partner_id': partnerId,
    'change.urgent': { $in: [...urgent] },
    'change.reviewed': false,
    'change.at': anyTime,
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

type AlertReport = { id: number; caseId: number; staffId: number; alert: StaffAlert };

type MonitoringAlertReport = Omit<AlertReport, 'id'> & Pick<MonitoringChangeRow, 'monitoring'>;

function channelQueries(model: ReturnType<typeof statusUpdates>) {
  async function setAlertOf(
    row: QueryFilter<StatusUpdateRow | MonitoringChangeRow>,
    { staffId, alert }: Pick<AlertReport, 'staffId' | 'alert'>,
  ): Promise<boolean> {
    const revision = `alerts.${staffId}.revision`;
    const isNewer = { $or: [{ [revision]: { $exists: false } }, { [revision]: { $lt: alert.revision } }] };
    const set = { $set: { [`alerts.${staffId}`]: alert } };
    return (await model.updateOne({ ...row, ...isNewer }, set)).matchedCount === 1;
  }

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

    /** False if there is no row, or none with an older revision of this member. */
    async setAlert({ id, caseId, ...report }: AlertReport): Promise<boolean> {
      return await setAlertOf({ _id: id, case_id: caseId }, report);
    },

    /** The same of a state of monitoring. */
    async setMonitoringAlert({ caseId, monitoring, ...report }: MonitoringAlertReport): Promise<boolean> {
      const { state, since } = monitoring;
      const ofState = { 'monitoring.state': state, 'monitoring.since': since };
      return await setAlertOf({ case_id: caseId, ...ofState }, report);
    },

    async hasMonitoringChange(
      caseId: number,
      { state, since }: MonitoringChangeRow['monitoring'],
    ): Promise<boolean> {
      const ofState = { 'monitoring.state': state, 'monitoring.since': since };
      return (await model.exists({ case_id: caseId, ...ofState })) !== null;
    },

    /** Begins the row that `status.updated` completes. */
    async insertWithAlert(session: Session, { id, caseId, staffId, alert }: AlertReport): Promise<void> {
      const row = {
        case_id: caseId,
        ...bothChannels(firstChannelState(null)),
        alerts: { [staffId]: alert },
      } as const;
      await model.updateOne({ _id: id }, { $setOnInsert: row }, { session, upsert: true });
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
