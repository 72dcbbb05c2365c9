import { channel, type StatusUpdated } from '@casewatch/contracts';
import { type CallContext, PoisonError } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { fetchRecipients, type People } from '../clients/recipient.ts';
import type { Context } from '../context.ts';
import { eraseLateNews, newsOfChange } from '../firm/take-news.ts';
import { presentNotification } from '../present/notification.ts';
import type { NotificationRow } from '../store/notification-model.ts';
import { changeNotifications } from './change-notification.ts';
import { type ArrivingNotification, newNotification } from './new-notification.ts';

export type Arrival = { data: StatusUpdated; context: CallContext };

/** Stores the notifications of a batch of events. Returns an error for each event that cannot be handled. */
export async function storeUpdates(ctx: Context, arrivals: readonly Arrival[]): Promise<(Error | null)[]> {
  const userIds = [...new Set(arrivals.map(({ data }) => data.case.user_id))];
  const [deleted, people] = await Promise.all([
    ctx.stores.tombstones.among(userIds),
    peopleOrNull(ctx, userIds),
  ]);
  const kept = arrivals.filter(({ data }) => !deleted.has(data.case.user_id));
  const arriving = kept.flatMap((arrival) =>
    channel.options.map((name) => newNotification(ctx, { ...arrival, people, channel: name })),
  );
  // Both events of an update may arrive together: nothing is said of the second one, which is not stored.
  const rows = [...Map.groupBy(arriving, ({ _id }) => _id).values()].flatMap(([first]) => first ?? []);
  const news = kept.flatMap((arrival) => newsOfChange(ctx, arrival) ?? []);
  const isNew = await insert(ctx, { rows, news });
  const again = await tellWaiting(ctx, { kept, isNew, people });
  await eraseDeleted(ctx, userIds);
  await eraseLateNews(ctx, news);
  if (news.length > 0) ctx.signals.emit('news');
  for (const name of channel.options)
    if ([...rows, ...again].some((row) => row.channel === name && row.status === 'pending'))
      ctx.signals.emit(name);
  const strangers = await otherCases(
    ctx,
    arriving.filter(({ _id }) => !isNew.has(_id)),
  );
  return arrivals.map(({ data }) => strangers.get(data.status_update.id) ?? null);
}

type Stored = { kept: readonly Arrival[]; isNew: ReadonlySet<string>; people: People | null };

/**
 * A return that is confirmed, and a held change that an operator releases: nobody was notified when it was stored, and now
 * people are. Returns the changed rows.
 */
async function tellWaiting(ctx: Context, { kept, isNew, people }: Stored): Promise<NotificationRow[]> {
  const told = kept.filter(({ data }) => data.skip_reason === null && !data.skip_detail);
  const arrivalOf = new Map(told.map((arrival) => [arrival.data.status_update.id, arrival]));
  // Both events of an update may arrive together.
  const counts = Map.groupBy(kept, ({ data }) => data.status_update.id);
  const known = [...arrivalOf.keys()]
    .flatMap((id) => channel.options.map((name) => ({ id, _id: `${id}:${name}` })))
    .filter(({ id, _id }) => !isNew.has(_id) || (counts.get(id)?.length ?? 0) > 1)
    .map(({ _id }) => _id);
  if (known.length === 0) return [];
  const stored = await ctx.stores.notifications.findAll(known);
  const changes = stored.flatMap((row) => {
    const arrival = arrivalOf.get(row.status_update_id);
    const isWaiting = row.status === 'skipped' && (row.reason === 'flap' || row.reason === 'held');
    if (!isWaiting || arrival?.data.case.id !== row.case_id) return [];
    const next = newNotification(ctx, { ...arrival, people, channel: row.channel, isConfirmed: true });
    const { status, reason, last_error, facts } = next;
    const dueInMs = status === 'pending' ? 0 : null;
    return [{ row, change: { status, reason, last_error, facts, held: true, dueInMs } }];
  });
  return await changeNotifications(ctx, changes);
}

/** Null if identity does not answer: then everything is decided when the message is sent. */
async function peopleOrNull(ctx: Context, userIds: readonly number[]): Promise<People | null> {
  try {
    return await fetchRecipients(ctx.bus, userIds);
  } catch (error) {
    ctx.log.info({ err: error }, 'identity.people unavailable; recipients are checked when sending');
    return null;
  }
}

type Inserted = {
  rows: readonly ArrivingNotification[];
  /** What the firms hear of it. */
  news: Parameters<Context['stores']['firmNews']['insertDue']>[0];
};

async function insert(ctx: Context, { rows, news }: Inserted): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  return await transaction(ctx.db, async (session) => {
    await ctx.stores.firmNews.insertDue(news, session);
    const inserted = await ctx.stores.notifications.insertAll(session, rows);
    const skipped = rows.filter(({ _id, status }) => inserted.has(_id) && status === 'skipped');
    const additions = skipped.map((row) => ({
      subject: `status_update/${row.status_update_id}`,
      data: presentNotification(row),
      context: { request_id: row.request_id, traceparent: row.traceparent },
    }));
    await ctx.outbox.addAll(session, 'notification.updated', additions);
    return inserted;
  });
}

/**
 * A user may have been deleted meanwhile, or before the event came again: the deletion writes its tombstone before it erases, and
 * misses what is stored after that.
 */
async function eraseDeleted(ctx: Context, userIds: readonly number[]): Promise<void> {
  const deleted = await ctx.stores.tombstones.among(userIds);
  for (const userId of deleted) await ctx.stores.notifications.deleteOfUser(userId);
}

/** Errors for ids that the monitor gave to updates of two cases. */
async function otherCases(ctx: Context, rows: readonly ArrivingNotification[]): Promise<Map<number, Error>> {
  if (rows.length === 0) return new Map();
  const stored = await ctx.stores.notifications.findAll(rows.map(({ _id }) => _id));
  const caseIds = new Map(stored.map((row) => [row._id, row.case_id]));
  return new Map(
    rows.flatMap(({ _id, status_update_id: id, case_id: caseId }) => {
      const storedCase = caseIds.get(_id) ?? caseId;
      if (storedCase === caseId) return [];
      return [[id, new PoisonError(`StatusUpdate ${id} is of case ${storedCase}; not of case ${caseId}`)]];
    }),
  );
}
