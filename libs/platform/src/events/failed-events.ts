import type { EventType } from '@casewatch/contracts';
import { ZodError } from 'zod';
import { collection, createRowReader, updateRows } from '../store/collection.ts';
import { createErasedUserStore, type Erasure } from '../store/erased-users.ts';
import { createIds } from '../store/ids.ts';
import { type Connection, retryOnDuplicate } from '../store/mongo.ts';
import { createBatch } from '../timing/batch.ts';
import type { Clock } from '../timing/clock.ts';
import { type Place, placesOf, type ReceivedEvent } from './received-event.ts';

export type FailureKind = 'not yet' | 'failed' | 'poison';

/** Why a try of an event failed. */
export type Failure = { readonly kind: FailureKind; readonly error: unknown };

/**
 * An event that its handler failed on. A row is written before the event is acknowledged, and owns the event from then on.
 * `waiting`: it is tried again. `dead`: an operator decides. `counted`: dead events beyond the limit, by stream and type.
 */
export type FailedEventRow = {
  /** The id of the event, or its place (received-event.ts). */
  _id: string;
  state: 'waiting' | 'dead' | 'counted';
  type: string;
  /** What the event is about, for example `case/123`. */
  subject: string | null;
  headers: Record<string, string>;
  body: string;
  /** Length of the whole body, bytes: that of a dead row is cut. */
  body_bytes: number;
  kind: FailureKind;
  /** The last error, without values. */
  error: string;
  tries: number;
  first_at: Date;
  /** Null: not waiting. */
  due_at: Date | null;
  /** The last try, and the time of this service's running in which the event has waited, ms. */
  tried_at: Date;
  waited_ms: number;
  user_id?: number;
  place: Place;
  /** What operators call a dead row. */
  number?: number;
};

/** Dead events beyond the limit: how many, and where the first and the last of them are in their stream. */
export type CountedRow = {
  _id: string;
  state: 'counted';
  type: string;
  count: number;
  first: Place;
  last: Place;
  /** Of the last one: the row lives as long as that one would. */
  first_at: Date;
};

/** Less than the tombstones and ids that make effects happen once, which are kept for 30 days. */
const keepSeconds = 29 * 24 * 60 * 60;
/** With so many waiting rows the consumers stop fetching; beyond so many dead rows events are only counted. */
export const mostRows = 10_000;
/** So much of a body is kept when its event is dead. */
export const mostDeadBytes = 64 * 1024;
const longestError = 500;
/** How old a count of rows may be, ms. */
const countMs = 1_000;

/** An event waits 1 s after its first failure, twice as long after each other one, and at most 10 minutes. */
const firstWaitMs = 1_000;
const longestWaitMs = 10 * 60_000;
/** It is dead after so many tries and so much time of the service's own running: an outage alone kills none. */
const mostTries = 100;
const longestWaitingMs = 24 * 60 * 60_000;

/** What ends the data of a person is not erased with the data of that person. */
const deletions: ReadonlySet<string> = new Set<EventType>([
  'user.deleted',
  'erasure.recorded',
  'case.deleted',
]);

export const failedEventsModel = collection<FailedEventRow>('failed_events', String, [
  { name: 'due', keys: { state: 1, type: 1, due_at: 1 } },
  { name: 'number', keys: { number: 1 }, unique: true, partialFilterExpression: { number: { $gt: 0 } } },
  { name: 'person', keys: { user_id: 1 }, partialFilterExpression: { user_id: { $gt: 0 } } },
  { name: 'expiry', keys: { first_at: 1 }, expireAfterSeconds: keepSeconds },
]);

type Options = { connection: Connection; clock: Clock; retryScale: number };

export type FailedEvents = ReturnType<typeof failedEvents>;

/** The failed events of a service, in its own database. */
export function failedEvents({ connection, clock, retryScale }: Options) {
  const model = failedEventsModel(connection);
  const erased = createErasedUserStore(connection);
  const ids = createIds(connection);
  const readRow = createRowReader<FailedEventRow>(model);
  const waiting = cachedCount(() => countRows(connection, 'waiting'));
  const dead = cachedCount(() => countRows(connection, 'dead'));

  const waitMs = (tries: number) =>
    Math.min(firstWaitMs * 2 ** Math.min(Math.max(tries, 1) - 1, 30), longestWaitMs) * retryScale;
  const dueAfter = (tries: number) => new Date(clock.now().getTime() + waitMs(tries));

  async function count({ type, place }: ReceivedEvent | FailedEventRow): Promise<void> {
    const filter = { _id: `${place.stream}/${type}` };
    const change = {
      $inc: { count: 1 },
      $set: { last: place, first_at: clock.now() },
      $setOnInsert: { state: 'counted', type, first: place },
    };
    await retryOnDuplicate(() =>
      model.collection.updateOne(filter as object, change as object, { upsert: true }),
    );
  }

  /** One write for events that fail together. Each gets its own error; one that has a row keeps it. */
  const insert = createBatch(
    async (rows: readonly FailedEventRow[]): Promise<(null | Error)[]> => {
      const updates = rows.map(({ _id, ...row }) => ({
        updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true },
      }));
      const faults = await updateRows(model, updates).then(() => new Map<number, Error>(), faultsOf);
      await eraseMissed(rows);
      return rows.map((_, i) => faults.get(i) ?? null);
    },
    { size: 200 },
  );

  /** Rows of an erased person that were written while the erasure ran are erased here. */
  async function eraseMissed(rows: readonly FailedEventRow[]): Promise<void> {
    const erasable = rows.filter(({ type }) => !deletions.has(type));
    const people = erasable.flatMap(({ user_id }) => user_id ?? []);
    if (people.length === 0) return;
    const gone = await erased.among(people);
    const missed = erasable.filter(({ user_id }) => user_id !== undefined && gone.has(user_id));
    if (missed.length > 0) await model.deleteMany({ _id: { $in: missed.map(({ _id }) => _id) } });
  }

  return {
    /** Whether the service must not take on more events. While the database is away: the last known answer. */
    isFull: async () => (await waiting.read().catch(waiting.last)) >= mostRows,

    async stateOf(key: string): Promise<FailedEventRow['state'] | null> {
      return (await readRow(key))?.state ?? null;
    },

    /** Stores the first failure of an event, before it is acknowledged. An event that has a row keeps it. */
    async record(event: ReceivedEvent, { kind, error }: Failure): Promise<void> {
      const isDead = kind === 'poison';
      if (isDead && (await dead.read()) >= mostRows) return await count(event);
      const now = clock.now();
      await insert({
        _id: event.key,
        state: isDead ? 'dead' : 'waiting',
        type: event.type,
        subject: event.about,
        headers: { ...event.headers },
        body: isDead ? cut(event.body) : event.body,
        body_bytes: Buffer.byteLength(event.body),
        kind,
        error: reasonOf(error),
        tries: 1,
        first_at: now,
        due_at: isDead ? null : dueAfter(1),
        tried_at: now,
        waited_ms: 0,
        place: event.place,
        ...(event.userId !== null && { user_id: event.userId }),
        ...(isDead && { number: await ids.next('dead_letter') }),
      });
      (isDead ? dead : waiting).add();
    },

    /** Ids of due rows by type, the most overdue ones of each first. */
    async dueByType(limit: number, types?: readonly string[]): Promise<Map<string, string[]>> {
      const found = types ?? (await model.distinct('type', { state: 'waiting' }));
      const rows = await Promise.all(
        found.map((type) =>
          model
            .find({ state: 'waiting', type, due_at: { $lte: clock.now() } }, { _id: 1, due_at: 1 })
            .sort({ due_at: 1 })
            .limit(limit)
            .lean(),
        ),
      );
      const due = found
        .map((type, i) => ({ type, rows: rows[i] ?? [] }))
        .filter(({ rows }) => rows.length > 0);
      due.sort((a, b) => Number(a.rows[0]?.due_at) - Number(b.rows[0]?.due_at));
      return new Map(due.map(({ type, rows }) => [type, rows.map(({ _id }) => _id)]));
    },

    /** Makes every waiting event of these types due. */
    async hasten(types: readonly string[]): Promise<void> {
      const rows = { state: 'waiting', type: { $in: [...types] } } as const;
      await model.updateMany(rows, { $set: { due_at: clock.now() } });
    },

    /** How long an event has waited while its service ran, ms, at the scale of production. */
    waitedMs: ({ waited_ms }: FailedEventRow): number => waited_ms / retryScale,

    async findWaiting(id: string): Promise<FailedEventRow | null> {
      return await model.findOne({ _id: id, state: 'waiting' }).lean<FailedEventRow>();
    },

    /** The event was handled. */
    async remove(id: string): Promise<void> {
      await model.deleteOne({ _id: id });
      waiting.forget();
    },

    /** Its dependency is away: this was no try. */
    async postpone({ _id, tries }: FailedEventRow): Promise<void> {
      await model.updateOne({ _id, state: 'waiting', tries }, { $set: { due_at: dueAfter(tries) } });
    },

    /** Stores another failure. An event that was erased, or that another replica has tried meanwhile, stays as it is. */
    async failAgain(row: FailedEventRow, { kind, error }: Failure): Promise<'not yet' | 'failed' | 'dead'> {
      const { _id } = row;
      const same = { _id, state: 'waiting', tries: row.tries } as const;
      const now = clock.now();
      const tries = row.tries + 1;
      // While nothing ran, an event did not wait: what counts of the time since its last try is at most twice its back-off.
      const sinceMs = Math.max(0, now.getTime() - row.tried_at.getTime());
      const waited_ms = row.waited_ms + Math.min(sinceMs, 2 * waitMs(row.tries));
      const failure = { kind, error: reasonOf(error), tries, tried_at: now, waited_ms };
      const isOver = tries >= mostTries && waited_ms >= longestWaitingMs * retryScale;
      if (kind !== 'poison' && !isOver) {
        await model.updateOne(same, { $set: { ...failure, due_at: dueAfter(tries) } });
        return kind;
      }
      waiting.forget();
      if ((await dead.read()) >= mostRows) {
        await count(row);
        await model.deleteOne(same);
        return 'dead';
      }
      const number = await ids.next('dead_letter');
      const end = { state: 'dead', due_at: null, body: cut(row.body), number } as const;
      await model.updateOne(same, { $set: { ...failure, ...end } });
      dead.add();
      return 'dead';
    },

    /** Erases what concerns a person, but not what ends the data of that person. */
    async erase(erasure: Erasure): Promise<void> {
      await erased.addAll([erasure]);
      await model.deleteMany({ user_id: erasure.user_id, type: { $nin: [...deletions] } });
      waiting.forget();
    },
  };
}

/** Rows of a state, at most 10,000; with `types` only of those. */
export async function countRows(
  connection: Connection,
  state: FailedEventRow['state'],
  types?: readonly string[],
): Promise<number> {
  const filter = { state, ...(types && { type: { $in: [...types] } }) };
  return await failedEventsModel(connection).countDocuments(filter, { limit: mostRows });
}

/** Dead events: those with a row, and those that are only counted. */
export async function countDeadLetters(connection: Connection): Promise<number> {
  const beyond = await countedRows(connection);
  const rows = await countRows(connection, 'dead');
  return beyond.reduce((sum, { count }) => sum + count, rows);
}

export async function countedRows(connection: Connection): Promise<CountedRow[]> {
  return await failedEventsModel(connection)
    .find({ state: 'counted' })
    .sort({ type: 1 })
    .lean<CountedRow[]>();
}

/** The errors of the rows that a bulk write could not write. @throws the error if it concerns all of them */
function faultsOf(error: unknown): Map<number, Error> {
  const { writeErrors } = error as { writeErrors?: { index: number } | { index: number }[] };
  const faults = [writeErrors ?? []].flat();
  if (!(error instanceof Error) || faults.length === 0) throw error;
  return new Map(faults.map(({ index }) => [index, error]));
}

/** The error for operators, without values, which may be personal data. */
export function reasonOf(error: unknown): string {
  return describe(error)
    .replaceAll(/[\r\n]+/g, ' ')
    .slice(0, longestError);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error instanceof ZodError) return `${error.name}: ${placesOf(error)}`;
  // MongoDB's message about a duplicate key has the key.
  if (error.name.startsWith('Mongo'))
    return 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
  return `${error.name}: ${error.message}`;
}

/** The beginning of a body, cut between two characters. */
function cut(body: string): string {
  return body.slice(0, new TextEncoder().encodeInto(body, new Uint8Array(mostDeadBytes)).read);
}

/** A count that is read at most once a second; rows that this process adds in between are added to it. */
function cachedCount(readCount: () => Promise<number>) {
  let count = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<number> | null = null;

  async function readAgain(): Promise<number> {
    try {
      count = await readCount();
      readAt = performance.now();
      return count;
    } finally {
      reading = null;
    }
  }

  return {
    last: () => count,
    async read(): Promise<number> {
      if (performance.now() - readAt < countMs) return count;
      reading ??= readAgain();
      return await reading;
    },
    add(): void {
      count += 1;
    },
    /** Rows went away. */
    forget(): void {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}
