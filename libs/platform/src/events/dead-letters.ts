import type { ServiceName } from '@casewatch/contracts';
import type { Connection } from '../store/mongo.ts';
import { type CountedRow, countedRows, type FailedEventRow, failedEventsModel } from './failed-events.ts';

export type DeadLetter = {
  service: ServiceName;
  /** What the commands call it. An event that dies again gets a new one. */
  seq: number;
  type: string;
  /** The id of the event; without a readable envelope: stream, time and sequence. */
  id: string;
  kind: string;
  /** The last error, without values. */
  reason: string;
  tries: number;
  /** When it was tried last. */
  at: Date;
  /** Length of the body, bytes. Only the first 64 KiB are kept. */
  bytes: number;
};

/** The dead letters of one service, in its database. */
export type DeadLetterBox = {
  readonly service: ServiceName;
  /** In the order of their numbers, without their bodies. */
  list(): Promise<DeadLetter[]>;
  /** Dead events beyond the 10,000 that have a row. */
  beyond(): Promise<CountedRow[]>;
  find(seq: number): Promise<(DeadLetter & { body: string }) | null>;
  /** Has the service try an event again, or all of them; returns how many. An event whose body is not whole stays. */
  replay(seq?: number): Promise<number>;
  /** Deletes one dead letter, or all and the counts; returns how many. */
  discard(seq?: number): Promise<number>;
};

export function openDeadLetterBox(connection: Connection, service: ServiceName): DeadLetterBox {
  const model = failedEventsModel(connection);
  const dead = (seq?: number) => ({ state: 'dead' as const, ...(seq !== undefined && { number: seq }) });
  const toLetter = (row: FailedEventRow): DeadLetter => ({
    service,
    seq: row.number ?? 0,
    type: row.type,
    id: row._id,
    kind: row.kind,
    reason: row.error,
    tries: row.tries,
    at: row.tried_at,
    bytes: row.body_bytes,
  });
  return {
    service,
    async list() {
      const rows = await model
        .find({ ...dead(), number: { $gt: 0 } }, { body: 0, headers: 0 })
        .sort({ number: 1 })
        .lean<FailedEventRow[]>();
      return rows.map(toLetter);
    },
    beyond: () => countedRows(connection),
    async find(seq) {
      const row = await model.findOne(dead(seq)).lean<FailedEventRow>();
      return row && { ...toLetter(row), body: row.body };
    },
    async replay(seq) {
      // What a cut body says of its event is not enough to handle it.
      const isWhole = { $eq: [{ $strLenBytes: '$body' }, '$body_bytes'] };
      const change = { state: 'waiting', tries: 0, waited_ms: 0, due_at: '$$NOW', tried_at: '$$NOW' };
      const { modifiedCount } = await model.updateMany(
        { ...dead(seq), $expr: isWhole },
        [{ $set: change }, { $unset: ['number'] }],
        { updatePipeline: true },
      );
      return modifiedCount;
    },
    async discard(seq) {
      const { deletedCount } = await model.deleteMany(dead(seq));
      if (seq !== undefined) return deletedCount;
      const counted = (await countedRows(connection)).reduce((sum, { count }) => sum + count, 0);
      await model.deleteMany({ state: 'counted' });
      return deletedCount + counted;
    },
  };
}
