import {
  type EventData,
  type EventType,
  type EventTypeOf,
  envelope,
  events,
  keptDaysOf,
  type ServiceName,
} from '@casewatch/contracts';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import { actedOnSubject } from '../audit/acting.ts';
import { PoisonError } from '../errors.ts';
import { collection, insertRows } from '../store/collection.ts';
import type { Connection, Session } from '../store/mongo.ts';
import { type CallContext, currentContext, newContext } from '../telemetry/logger.ts';

export type OutboxRow = {
  _id: string;
  type: string;
  body: string;
  request_id: string;
  traceparent: string;
  created_at: Date;
  /** Time of the first publication; a repetition does not change it. */
  published_at: Date | null;
  refused_at?: Date;
  refusals?: number;
  /** Only of events that the registry keeps for a time of their own. */
  kept_until?: Date;
};

const daySeconds = 24 * 60 * 60;
/** Longer than the streams keep events (7 days), so that a lost stream can be rebuilt (architecture.md §3). */
const keepSeconds = 8 * daySeconds;

export const outboxModel = collection<OutboxRow>('outbox', String, [
  { name: 'unpublished', keys: { _id: 1, published_at: 1 }, partialFilterExpression: { published_at: null } },
  { name: 'new', keys: { refused_at: 1, _id: 1 }, partialFilterExpression: { published_at: null } },
  { name: 'refused', keys: { refused_at: 1 }, partialFilterExpression: { refused_at: { $type: 'date' } } },
  {
    name: 'expiry',
    keys: { published_at: 1 },
    expireAfterSeconds: keepSeconds,
    partialFilterExpression: { kept_until: null },
  },
  { name: 'kept', keys: { kept_until: 1 }, expireAfterSeconds: 0 },
]);

/** Events that the relay has not tried. */
export const newRows = { published_at: null, refused_at: null };

/** NATS accepts 1 MiB with headers (max_payload). The limit fails the transaction instead of the relay. */
const maxBytes = 512 * 1024;

/** `context`: default is the context of the caller. */
export type Addition<T extends EventTypeOf<ServiceName>> = {
  readonly subject: string;
  readonly data: EventData<T>;
  readonly context?: CallContext;
};

export type Outbox<S extends ServiceName> = {
  /**
   * Adds an event to the session's transaction and returns its id. An event whose `id` the outbox has already is not added
   * again. @throws PoisonError above 512 KiB
   */
  add<T extends EventTypeOf<S>>(
    session: Session,
    type: T,
    subject: string,
    data: EventData<T>,
    id?: string,
  ): Promise<string>;
  addAll<T extends EventTypeOf<S>>(session: Session, type: T, additions: Addition<T>[]): Promise<void>;
};

const onlyEvents = '5b3a0c9e-61c5-4d1f-9f0b-6a8f5e1f7c52';

/** The id of the only event of a type about a subject: added again, also after a restore, it is the same event. */
export function onlyEventId(type: EventType, subject: string): string {
  return uuidv5(`${type} ${subject}`, onlyEvents);
}

/** `onAdded` runs when a session that added events ends, by commit or abort. */
export function createOutbox<S extends ServiceName>(
  service: S,
  connection: Connection,
  now: () => Date,
  onAdded: () => void = () => undefined,
): Outbox<S> {
  const model = outboxModel(connection);
  const sessions = new WeakSet<Session>();

  function notifyAtEnd(session: Session): void {
    if (sessions.has(session)) return; // a transaction may run more than once
    sessions.add(session);
    session.once('ended', onAdded);
  }

  return {
    async add(session, type, subject, data, id) {
      const row = toRow(service, now(), type, { subject, data, id });
      notifyAtEnd(session);
      if (id === undefined) await insertRows(model, [row], session);
      else await model.updateOne({ _id: id }, { $setOnInsert: row }, { session, upsert: true });
      return row._id;
    },
    async addAll(session, type, additions) {
      if (additions.length === 0) return;
      notifyAtEnd(session);
      const added = additions.map((addition) => toRow(service, now(), type, addition));
      await insertRows(model, added, session);
    },
  };
}

function toRow<S extends ServiceName>(
  service: S,
  time: Date,
  type: EventTypeOf<S>,
  addition: { subject: string; data: unknown; id?: string | undefined; context?: CallContext | undefined },
): OutboxRow {
  const { subject, data, id = uuidv7() } = addition;
  actedOnSubject(subject);
  const { request_id, traceparent } = addition.context ?? currentContext() ?? newContext();
  const event = envelope.parse({
    specversion: '1.0',
    id,
    source: `/casewatch/${service}`,
    type,
    subject,
    time: time.toISOString(),
    datacontenttype: 'application/json',
    data: events[type].schema.parse(data),
  });
  const body = JSON.stringify(event);
  const bytes = Buffer.byteLength(body);
  if (bytes > maxBytes)
    throw new PoisonError(`the event ${type} has ${bytes} bytes; at most ${maxBytes} are allowed`);
  const keptDays = keptDaysOf(type);
  const kept = keptDays !== undefined && {
    kept_until: new Date(time.getTime() + keptDays * daySeconds * 1_000),
  };
  return { _id: id, type, body, request_id, traceparent, created_at: time, published_at: null, ...kept };
}
