import { type EventData, type EventTypeOf, envelope, events, type ServiceName } from '@casewatch/contracts';
import mongoose from 'mongoose';
import { v7 as uuidv7 } from 'uuid';
import { PoisonError } from '../errors.ts';
import type { Connection, Session } from '../store/mongo.ts';
import { currentContext, newContext } from '../telemetry/logger.ts';

/** One event that a transaction decided on, until it is published and 8 days beyond. */
export type OutboxRow = {
  _id: string;
  type: string;
  body: string;
  request_id: string;
  traceparent: string;
  created_at: Date;
  /** When it was published first: a row that is published again does not live longer. */
  published_at: Date | null;
  /** When its stream refused it last, and how often. */
  refused_at?: Date;
  refusals?: number;
};

/** Rows outlive the streams (7 days), so that a wiped stream can be rebuilt from them (architecture.md §3). */
const keepSeconds = 8 * 24 * 60 * 60;

const schema = new mongoose.Schema<OutboxRow>(
  {
    _id: String,
    type: String,
    body: String,
    request_id: String,
    traceparent: String,
    created_at: Date,
    published_at: Date,
    refused_at: Date,
    refusals: Number,
  },
  { versionKey: false, id: false, collection: 'outbox' },
);
schema.index(
  { _id: 1, published_at: 1 },
  { name: 'unpublished', partialFilterExpression: { published_at: null } },
);
schema.index({ refused_at: 1, _id: 1 }, { name: 'new', partialFilterExpression: { published_at: null } });
schema.index(
  { refused_at: 1 },
  { name: 'refused', partialFilterExpression: { refused_at: { $type: 'date' } } },
);
schema.index({ published_at: 1 }, { name: 'expiry', expireAfterSeconds: keepSeconds });

/** NATS takes 1 MiB at most (max_payload), with headers: an event is refused while its transaction can still fail. */
const maxBytes = 512 * 1024;

/** Where replicas of a service tell its relay, over core NATS, that there is something to publish. */
export function outboxSubject(service: ServiceName): string {
  return `outbox.${service}`;
}

export function outboxModel(connection: Connection) {
  return connection.model<OutboxRow>('outbox', schema);
}

/** Makes the collection and its indexes where they are missing. */
export async function prepareOutbox(connection: Connection): Promise<void> {
  await outboxModel(connection).createCollection();
  await outboxModel(connection).createIndexes();
}

export type Outbox<S extends ServiceName> = {
  /**
   * Adds an event to the change that `session`'s transaction makes: both happen, or neither. `about` is the
   * CloudEvents subject, e.g. `case/123`. `id` is given where the event's own identity must be known beforehand.
   * @throws PoisonError where the event has more than 512 KiB
   */
  add<T extends EventTypeOf<S>>(
    session: Session,
    type: T,
    about: string,
    data: EventData<T>,
    id?: string,
  ): Promise<string>;
  /** The same for many events in one insert. */
  addAll<T extends EventTypeOf<S>>(
    session: Session,
    type: T,
    rows: { about: string; data: EventData<T> }[],
  ): Promise<void>;
};

/**
 * The transactional outbox of one service; relay.ts publishes what it holds. `onAdded` is called when a session that added
 * something has ended, that is, after its transaction was committed or given up.
 */
export function createOutbox<S extends ServiceName>(
  service: S,
  connection: Connection,
  now: () => Date,
  onAdded: () => void = () => undefined,
): Outbox<S> {
  const model = outboxModel(connection);
  const adding = new WeakSet<Session>();

  /** Once for each session, however often its transaction is tried. */
  function tellWhenEnded(session: Session): void {
    if (adding.has(session)) return;
    adding.add(session);
    session.once('ended', onAdded);
  }

  function toRow<T extends EventTypeOf<S>>(
    type: T,
    about: string,
    data: EventData<T>,
    id: string,
  ): OutboxRow {
    const { request_id, traceparent } = currentContext() ?? newContext();
    const time = now();
    const event = envelope.parse({
      specversion: '1.0',
      id,
      source: `/casewatch/${service}`,
      type,
      subject: about,
      time: time.toISOString(),
      datacontenttype: 'application/json',
      data: events[type].schema.parse(data),
    });
    const body = JSON.stringify(event);
    const bytes = Buffer.byteLength(body);
    if (bytes > maxBytes)
      throw new PoisonError(`the event ${type} has ${bytes} bytes; at most ${maxBytes} are allowed`);
    return {
      _id: id,
      type,
      body,
      request_id,
      traceparent,
      created_at: time,
      published_at: null,
    };
  }

  return {
    async add(session, type, about, data, id = uuidv7()) {
      tellWhenEnded(session);
      await model.insertMany([toRow(type, about, data, id)], { session });
      return id;
    },
    async addAll(session, type, rows) {
      if (rows.length === 0) return;
      tellWhenEnded(session);
      await model.insertMany(
        rows.map(({ about, data }) => toRow(type, about, data, uuidv7())),
        { session },
      );
    },
  };
}
