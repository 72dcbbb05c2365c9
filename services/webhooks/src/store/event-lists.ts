import type { WebhookEventFilter } from '@casewatch/contracts';
import type { Connection, Position } from '@casewatch/platform';
import { matchesFilter } from '../domain/event-filter.ts';
import { type EventRow, events } from './events.ts';

/** Rows that one page of a filtered list reads at most; the cursor continues after them. */
const maxScan = 5_000;

type SettledPage = {
  partnerId: number;
  filter?: WebhookEventFilter | undefined;
  since: Date;
  before: Date;
  after: Position;
  limit: number;
};

type EventPage = { bodies: string[]; position: Position; hasMore: boolean };

type Place = Pick<EventRow, '_id' | 'type' | 'intake_at'>;

/** Reads many events of a partner in the order of intake. */
export function createEventListStore(db: Connection) {
  const model = events(db);

  async function placesOf({ partnerId, since, before, after }: SettledPage, limit: number): Promise<Place[]> {
    const [id, time] = after;
    const from = new Date(Math.max(since.getTime(), time));
    const passed = { $or: [{ intake_at: { $gt: new Date(time) } }, { _id: { $gt: String(id) } }] };
    return await model
      .find({ partner_id: partnerId, intake_at: { $gte: from, $lt: before }, ...passed })
      .sort({ intake_at: 1, _id: 1 })
      .limit(limit)
      .select({ type: 1, intake_at: 1 })
      .lean();
  }

  async function bodiesOf(ids: string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await model
      .find({ _id: { $in: ids } })
      .select({ body: 1 })
      .lean();
    const bodies = new Map(rows.map(({ _id, body }) => [_id, body]));
    // An event can be erased between the two reads.
    return ids.flatMap((id) => bodies.get(id) ?? []);
  }

  return {
    /** Events in the order of intake. `position` is after the last row that was read, matched or not. */
    async settledPage(page: SettledPage): Promise<EventPage> {
      const { filter, limit, after } = page;
      const scan = filter === undefined ? limit + 1 : maxScan;
      const places = await placesOf(page, scan);
      const isWanted = ({ type }: Place) => filter === undefined || matchesFilter(filter, type);
      const wanted = places.filter(isWanted).slice(0, limit);
      const isFull = wanted.length === limit;
      const last = isFull ? wanted.at(-1) : places.at(-1);
      const hasMore = last !== undefined && (last !== places.at(-1) || places.length === scan);
      return {
        bodies: await bodiesOf(wanted.map(({ _id }) => _id)),
        position: last ? [last._id, last.intake_at.getTime()] : after,
        hasMore,
      };
    },
  };
}
