import mongoose from 'mongoose';
import { databaseAt } from '../addresses.ts';
import type { DevFile } from '../dev-files.ts';

/** Dates of one case: when its user, the case and its change are said to have happened. */
export type CaseDates = { readonly user: Date; readonly created: Date; readonly changed: Date };

type Row = { readonly _id: unknown };
type Collection = mongoose.mongo.Collection<Row & mongoose.mongo.Document>;
type CaseRow = Row & { _id: number; user_id: number; receipt_number: string };

/**
 * Moves what has happened since `since` over the last month: `dates` are by receipt number. Each thing moves as a whole, so
 * messages and deliveries follow their update by seconds, as they did. Only for the demo: it writes to the databases of the services.
 */
export async function spreadHistory(
  { mongodb_url }: Pick<DevFile, 'mongodb_url'>,
  since: Date,
  dates: ReadonlyMap<string, CaseDates>,
): Promise<void> {
  const client = await new mongoose.mongo.MongoClient(databaseAt(mongodb_url, '')).connect();
  const rowsOf = (database: string, name: string): Collection => client.db(database).collection(name);
  const move: Tools['move'] = async (rows, filter, to, fields = []) => {
    const byMs = Date.now() - to.getTime();
    const projection = Object.fromEntries(fields.map((field) => [field, 1]));
    for await (const row of rows.find(filter, { projection })) {
      const set = movedDates(row, { since, byMs });
      if (Object.keys(set).length > 0) await rows.updateOne({ _id: row._id }, { $set: set });
    }
  };
  try {
    const found = rowsOf('cases', 'cases').find({ receipt_number: { $in: [...dates.keys()] } });
    for (const row of (await found.toArray()) as unknown as CaseRow[]) {
      const of = dates.get(row.receipt_number);
      if (of) await moveCase({ rowsOf, move }, row, of);
    }
  } finally {
    await client.close();
  }
}

type Tools = {
  rowsOf(database: string, name: string): Collection;
  /** @param fields all, if there are none */
  move(rows: Collection, filter: object, to: Date, fields?: readonly string[]): Promise<void>;
};

/** What began together moves together; a row that moved is no longer after `since`, so a second call leaves it. */
async function moveCase({ rowsOf, move }: Tools, row: CaseRow, { user, created, changed }: CaseDates) {
  const updates = rowsOf('cases', 'status_updates');
  const events = rowsOf('webhooks', 'events');
  const moveEvents = async (filter: object, to: Date) => {
    const ids = (await events.find(filter, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
    await move(rowsOf('webhooks', 'deliveries'), { event_id: { $in: ids } }, to);
    await move(events, { _id: { $in: ids } }, to);
  };
  await move(rowsOf('identity', 'users'), { _id: row.user_id }, user);
  await moveEvents({ user_id: row.user_id, type: /^user\./ }, user);
  const of = { case_id: row._id };
  const cases = rowsOf('cases', 'cases');
  await move(cases, { _id: row._id }, created, [
    'created_at',
    'watched_since',
    'uscis_access_acknowledged_at',
  ]);
  await move(cases, { _id: row._id }, changed, ['updated_at', 'latest_update']);
  await move(updates, { ...of, kind: 'baseline' }, created);
  await move(updates, of, changed);
  await move(rowsOf('cases', 'acknowledgements'), of, created);
  await move(rowsOf('notifier', 'notifications'), of, changed);
  const named = new RegExp(`"${row.receipt_number}"|"case_id":${row._id}[,}]`);
  await moveEvents({ user_id: row.user_id, type: 'case.created', body: named }, created);
  await moveEvents({ user_id: row.user_id, body: named }, changed);
}

type Move = {
  /** Dates before it were invented, and stay. */
  readonly since: Date;
  readonly byMs: number;
};

/** The dates of a row at or after `since`, by their path, moved to the past. Texts with JSON keep their other characters. */
function movedDates(row: object, move: Move, prefix = ''): Record<string, Date | string> {
  return Object.assign(
    {},
    ...Object.entries(row).map(([name, value]) => {
      const path = prefix + name;
      if (value instanceof Date) return value < move.since ? {} : { [path]: moved(value, move) };
      if (typeof value === 'string') {
        const text = movedText(value, move);
        return text === value ? {} : { [path]: text };
      }
      const isPlain = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
      return isPlain ? movedDates(value, move, `${path}.`) : {};
    }),
  );
}

function movedText(text: string, move: Move): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) => {
    const date = new Date(time);
    return date < move.since ? time : moved(date, move).toISOString();
  });
}

function moved(date: Date, { byMs }: Move): Date {
  return new Date(date.getTime() - byMs);
}
