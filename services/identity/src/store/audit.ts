import type { AuditObject, AuditRecord } from '@casewatch/contracts';
import type { Position } from '@casewatch/platform';
import { type Connection, collection, type Session } from '@casewatch/platform/database';
import { removeSomeOf } from './remove-some.ts';

/** One act of somebody for a partner (firm.md §2). Ids only; names are joined when a record is read. */
export type AuditRow = {
  readonly _id: string;
  readonly partner_id: number;
  readonly at: Date;
  /** `staff:5`; `operator`. */
  readonly actor: string;
  /** The name that the partner gave to the person in the console of a key. */
  readonly console_actor: string | null;
  readonly operation: string;
  /** `case:12` */
  readonly objects: readonly string[];
  readonly count: number | null;
  readonly status: number;
  readonly network: string | null;
  readonly request_id: string;
};

const keptSeconds = 365 * 24 * 60 * 60;

const audit = collection<AuditRow>('audit', String, [
  { name: 'list', keys: { partner_id: 1, at: -1, _id: -1 } },
  { name: 'actor', keys: { partner_id: 1, actor: 1, at: -1, _id: -1 } },
  { name: 'object', keys: { partner_id: 1, objects: 1, at: -1, _id: -1 } },
  { name: 'operation', keys: { partner_id: 1, operation: 1, at: -1, _id: -1 } },
  { name: 'expiry', keys: { at: 1 }, expireAfterSeconds: keptSeconds },
]);

export type AuditFilter = {
  since?: Date | undefined;
  until?: Date | undefined;
  actor?: string | undefined;
  object?: string | undefined;
  operation?: readonly string[] | undefined;
};

type PageQuery = { partnerId: number; filter: AuditFilter; after: Position | null; limit: number };

export function createAuditStore(db: Connection) {
  const model = audit(db);
  return {
    /** A record that is there already stays as it is: events are delivered at least once. */
    async insert(rows: readonly AuditRow[], tx: Session | null = null): Promise<void> {
      const writes = rows.map(({ _id, ...row }) => ({
        updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true },
      }));
      if (writes.length > 0) await model.bulkWrite(writes, { ordered: false, ...(tx && { session: tx }) });
    },
    async removeSome(partnerId: number, limit: number) {
      return await removeSomeOf(model, partnerId, limit);
    },
    async remove(records: readonly Pick<AuditRecord, 'id'>[]): Promise<void> {
      await model.deleteMany({ _id: { $in: records.map(({ id }) => id) } });
    },
    /** Newest first. */
    async page({ partnerId, filter, after, limit }: PageQuery): Promise<AuditRow[]> {
      const { since, until, actor, object, operation } = filter;
      const at = { ...(since && { $gte: since }), ...(until && { $lt: until }) };
      return await model
        .find({
          partner_id: partnerId,
          ...(actor !== undefined && { actor }),
          ...(object !== undefined && { objects: object }),
          ...(operation !== undefined && { operation: { $in: [...operation] } }),
          ...((since || until) && { at }),
          ...(after && { $or: olderThan(after) }),
        })
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .lean<AuditRow[]>();
    },
  };
}

function olderThan([id, time]: Position) {
  const at = new Date(time);
  return [{ at: { $lt: at } }, { at, _id: { $lt: String(id) } }];
}

export function keyOf({ kind, id }: AuditObject): string {
  return `${kind}:${id}`;
}

export function rowOf(record: AuditRecord, consoleActor: string | null): AuditRow {
  const { id, at, partner_id, actor, operation, objects, count, status, network, request_id } = record;
  return {
    _id: id,
    partner_id,
    at: new Date(at),
    actor: actor.id === null ? actor.kind : `${actor.kind}:${actor.id}`,
    console_actor: consoleActor,
    operation,
    objects: objects.map(keyOf),
    count,
    status,
    network,
    request_id,
  };
}
