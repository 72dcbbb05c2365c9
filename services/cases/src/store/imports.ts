import type { ImportOutcome, ImportState } from '@casewatch/contracts';
import type { Position } from '@casewatch/platform';
import {
  type Connection,
  collection,
  databaseTimeIn,
  findRows,
  insertRows,
  type Session,
  updateRows,
} from '@casewatch/platform/database';

/** Rows in all, and by outcome. */
export type ImportCounts = Record<ImportOutcome | 'rows', number>;

export type ImportRow = {
  _id: number;
  partner_id: number;
  state: ImportState;
  dry_run: boolean;
  send_verification: boolean;
  /** Who imports, as an acknowledgement names it. */
  actor: { key_id: string | null; staff_id: number | null; address: string };
  rows: number;
  /** The counts once nothing changes any more; until then they are those of the rows. */
  counts: ImportCounts | null;
  created_at: Date;
  finished_at: Date | null;
  /** When its rows had their last turn. */
  tried_at: Date | null;
};

/** One row of a file. */
export type ImportItem = {
  /** `<import>:<row>` */
  _id: string;
  import_id: number;
  row: number;
  /** The same for all rows of one address; says nothing of it. */
  person: string;
  outcome: ImportOutcome;
  code: string | null;
  message: string | null;
  user_id: number | null;
  case_id: number | null;
  /** The cells, sealed. Null when the row is done. */
  payload: string | null;
  /** Its person may be made: it is completed, also if the import is cancelled. */
  begun: boolean;
  /** The case is done, and the person not yet. */
  done_case: { outcome: 'created' | 'updated' | 'unchanged' } | null;
  /** How often its person failed. Absent: never. */
  failures?: number;
  /** Of a refused row from then on, of the others from the end of the import. */
  expires_at: Date | null;
};

/** firm.md §8: imports are kept for 90 days, their rows for 7. One that is not over stays until it is: its rows would stay for ever. */
const importSeconds = 90 * 24 * 60 * 60;
const rowMs = 7 * 24 * 60 * 60 * 1_000;

const turn = { failures: 1, row: 1 } as const;

const insertedTogether = 1_000;

const imported: ImportOutcome[] = ['created', 'updated', 'unchanged'];

const imports = collection<ImportRow>('imports', Number, [
  { name: 'list', keys: { partner_id: 1, created_at: -1, _id: -1 } },
  { name: 'open', keys: { _id: 1, counts: 1 }, partialFilterExpression: { counts: null } },
  { name: 'expiry_after_end', keys: { finished_at: 1 }, expireAfterSeconds: importSeconds },
]);

const items = collection<ImportItem>('import_rows', String, [
  { name: 'by_outcome', keys: { import_id: 1, outcome: 1, row: 1 } },
  { name: 'by_turn', keys: { import_id: 1, outcome: 1, failures: 1, row: 1 } },
  { name: 'by_row', keys: { import_id: 1, row: 1 } },
  { name: 'by_person', keys: { import_id: 1, person: 1, row: 1 } },
  { name: 'by_user', keys: { user_id: 1 }, partialFilterExpression: { user_id: { $gt: 0 } } },
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 0 },
]);

/** Of an import that is over nothing is done any more, whatever a runner still tries that lost its lease: it was counted. */
const undone = { outcome: 'waiting', expires_at: null } as const;

const unowned = { outcome: 'refused', user_id: null, payload: { $ne: null } } as const;

export type Result = Pick<ImportItem, 'code' | 'message' | 'user_id' | 'case_id'> & {
  outcome: Exclude<ImportOutcome, 'waiting'>;
};

export function createImportStore(db: Connection) {
  const model = imports(db);
  const rowModel = items(db);

  /** As of one moment: without a snapshot, a row that is done while others are counted is counted twice, or not at all. */
  async function countRows(
    { _id: importId, rows: all }: Pick<ImportRow, '_id' | 'rows'>,
    session: Session | null = null,
  ): Promise<ImportCounts> {
    const reading = rowModel.aggregate<{ _id: ImportOutcome; count: number }>([
      { $match: { import_id: importId } },
      { $group: { _id: '$outcome', count: { $sum: 1 } } },
    ]);
    // A transaction reads a snapshot anyway.
    const groups = await (session ? reading.session(session) : reading.readConcern('snapshot'));
    const counts: ImportCounts = { rows: 0, waiting: 0, created: 0, updated: 0, unchanged: 0, refused: 0 };
    for (const { _id, count } of groups) {
      counts[_id] = count;
      counts.rows += count;
    }
    // Of an import that runs for more than a week, refused rows alone have expired.
    return { ...counts, rows: all, refused: counts.refused + all - counts.rows };
  }

  async function idsOf(partnerId: number): Promise<number[]> {
    return (await model.find({ partner_id: partnerId }, { _id: 1 }).lean<ImportRow[]>()).map(
      ({ _id }) => _id,
    );
  }
  async function ofSamePartner(importId: number): Promise<number[]> {
    const row = await model.findOne({ _id: importId }, { partner_id: 1 }).lean<ImportRow>();
    return row ? await idsOf(row.partner_id) : [];
  }

  return {
    async insert(session: Session, row: ImportRow, rows: readonly ImportItem[]): Promise<void> {
      await insertRows(model, [row], session);
      for (let at = 0; at < rows.length; at += insertedTogether)
        await insertRows(rowModel, rows.slice(at, at + insertedTogether), session);
    },

    /** Also those that run: a row that is being imported finds nothing to finish, and is undone. */
    async erasePartner(partnerId: number): Promise<void> {
      await rowModel.deleteMany({ import_id: { $in: await idsOf(partnerId) } });
      await model.deleteMany({ partner_id: partnerId });
    },

    /**
     * Rows of an erased person: that they were, and what became of them, stays for their week. With them go refused rows of the same
     * address that are nobody else's: the person came after they were refused.
     */
    async erasePerson(userId: number): Promise<void> {
      const nobody = { user_id: null, case_id: null, payload: null };
      const done = { outcome: { $ne: 'waiting' as const } };
      const own = await findRows<ImportItem, Pick<ImportItem, 'import_id' | 'person'>>(
        rowModel,
        { user_id: userId },
        { projection: { import_id: 1, person: 1 } },
      );
      const [first] = own;
      const ids = first ? await ofSamePartner(first.import_id) : [];
      const people = [...new Set(own.map(({ person }) => person))];
      const sameAddress = { import_id: { $in: ids }, person: { $in: people }, user_id: null };
      if (ids.length > 0) await rowModel.updateMany({ ...sameAddress, ...done }, { $set: nobody });
      await rowModel.updateMany({ user_id: userId, ...done }, { $set: nobody });
    },

    /** Whether refused rows of the partner, with their cells, belong to nobody who is known. */
    async hasUnowned(partnerId: number): Promise<boolean> {
      const ids = await idsOf(partnerId);
      if (ids.length === 0) return false;
      return (await rowModel.exists({ import_id: { $in: ids }, ...unowned })) !== null;
    },

    /** Refused rows of an address whose person came after them. */
    async own(partnerId: number, person: string, userId: number): Promise<void> {
      const filter = { import_id: { $in: await idsOf(partnerId) }, person, ...unowned };
      await rowModel.updateMany(filter, { $set: { user_id: userId } });
    },

    async find(partnerId: number, id: number, session: Session | null = null): Promise<ImportRow | null> {
      return await model.findOne({ _id: id, partner_id: partnerId }).session(session).lean<ImportRow>();
    },

    /** Of an import whose rows may change: one snapshot of them. */
    async countsOf(row: ImportRow, session: Session | null = null): Promise<ImportCounts> {
      return row.counts ?? (await countRows(row, session));
    },

    /** Newest first. A firm has few. */
    async ofStaff(partnerId: number, staffId: number, limit: number): Promise<ImportRow[]> {
      return await model
        .find({ partner_id: partnerId, 'actor.staff_id': staffId })
        .sort({ created_at: -1, _id: -1 })
        .limit(limit)
        .lean<ImportRow[]>();
    },

    async page(partnerId: number, { after, limit }: { after: Position | null; limit: number }) {
      const beyond = after && {
        $or: [
          { created_at: { $lt: new Date(Number(after[0])) } },
          { created_at: new Date(Number(after[0])), _id: { $lt: Number(after[1]) } },
        ],
      };
      const filter = { partner_id: partnerId, ...beyond };
      return await model.find(filter).sort({ created_at: -1, _id: -1 }).limit(limit).lean<ImportRow[]>();
    },

    async rowsPage(
      importId: number,
      {
        outcome,
        after,
        limit,
      }: { outcome?: ImportOutcome | undefined; after: Position | null; limit: number },
    ): Promise<ImportItem[]> {
      const filter = {
        import_id: importId,
        ...(outcome && { outcome }),
        ...(after && { row: { $gt: Number(after[0]) } }),
      };
      return await findRows(rowModel, filter, { sort: { row: 1 }, limit, projection: { payload: 0 } });
    },

    /** Whom and what the rows made, changed or found. A dry run names who is there already. */
    async imported(importId: number) {
      const filter = { import_id: importId, outcome: { $in: imported } };
      const rows = await findRows<ImportItem, Pick<ImportItem, 'user_id' | 'case_id'>>(rowModel, filter, {
        projection: { user_id: 1, case_id: 1 },
      });
      const isExpired = rows.length === 0 && (await rowModel.exists({ import_id: importId })) === null;
      const idsOf = (field: 'user_id' | 'case_id') => [...new Set(rows.flatMap((row) => row[field] ?? []))];
      return { userIds: idsOf('user_id'), caseIds: idsOf('case_id'), isExpired };
    },

    /** With their payloads, in their order. */
    async refused(importId: number, { after, limit }: { after: Position | null; limit: number }) {
      const filter = {
        import_id: importId,
        outcome: 'refused' as const,
        ...(after && { row: { $gt: Number(after[1]) } }),
      };
      return await findRows(rowModel, filter, { sort: { row: 1 }, limit });
    },

    async isCancelled(id: number): Promise<boolean> {
      return (await model.exists({ _id: id, state: 'cancelled' })) !== null;
    },

    /**
     * Imports that are not settled: some that were cancelled, and one of each of some partners. Those that were tried longest ago
     * come first, so one that is stuck holds up no other.
     */
    async open(limit: number): Promise<ImportRow[]> {
      const turn = { tried_at: 1, _id: 1 } as const;
      const cancelled = await model
        .find({ counts: null, state: 'cancelled' })
        .sort(turn)
        .limit(limit)
        .lean<ImportRow[]>();
      const others = await model.aggregate<ImportRow>([
        { $match: { counts: null, state: { $ne: 'cancelled' } } },
        { $sort: turn },
        { $group: { _id: '$partner_id', row: { $first: '$$ROOT' } } },
        { $replaceRoot: { newRoot: '$row' } },
        { $sort: turn },
        { $limit: limit },
      ]);
      const rows = [...cancelled, ...others];
      const taken = { _id: { $in: rows.map(({ _id }) => _id) } };
      await model.updateMany(taken, [{ $set: { tried_at: databaseTimeIn(0) } }], { updatePipeline: true });
      return rows;
    },

    /** Of a waiting import. */
    async begin(id: number): Promise<void> {
      await model.updateOne({ _id: id, state: 'waiting' }, { $set: { state: 'running' } });
    },

    /** False if it has ended. It is over once the rows that were begun are done (`settle`). */
    async cancel(session: Session, id: number): Promise<boolean> {
      const filter = { _id: id, state: { $in: ['waiting' as const, 'running' as const] } };
      const change = { $set: { state: 'cancelled' as const } };
      return (await model.updateOne(filter, change, { session })).modifiedCount === 1;
    },

    /** The counts of an import whose rows change no more. Null if another runner was faster, or it was cancelled meanwhile. */
    async settle(session: Session, row: ImportRow, at: Date): Promise<ImportCounts | null> {
      const { _id, state } = row;
      const counts = await countRows(row, session);
      const end = { state: state === 'cancelled' ? state : ('done' as const), finished_at: at };
      const filter = { _id, counts: null, state };
      const { modifiedCount } = await model.updateOne(filter, { $set: { ...end, counts } }, { session });
      return modifiedCount === 1 ? counts : null;
    },

    /** Payloads of rows that were never begun go; what is left of the rows is deleted later. Refused rows go when they were to. */
    async expireRows(importId: number): Promise<void> {
      const filter = { import_id: importId, expires_at: null };
      await rowModel.updateMany({ ...filter, outcome: 'waiting' }, { $set: { payload: null } });
      await rowModel.updateMany(filter, [{ $set: { expires_at: databaseTimeIn(rowMs) } }], {
        updatePipeline: true,
      });
    },

    /** Those whose person failed least come first, so that one who keeps failing holds up nobody else. */
    async waiting(importId: number, limit: number): Promise<ImportItem[]> {
      return await findRows(rowModel, { import_id: importId, outcome: 'waiting' }, { sort: turn, limit });
    },

    /** Those with an effect and without their outcome. */
    async begun(importId: number, limit: number): Promise<ImportItem[]> {
      const filter = {
        import_id: importId,
        outcome: 'waiting' as const,
        $or: [{ begun: true }, { done_case: { $ne: null } }],
      };
      return await findRows(rowModel, filter, { sort: turn, limit });
    },

    /** All that wait of people who failed: the order of the rows of one person stays. */
    async postpone(importId: number, people: readonly string[]): Promise<void> {
      const filter = { import_id: importId, person: { $in: [...people] }, outcome: 'waiting' as const };
      if (people.length > 0) await rowModel.updateMany(filter, { $inc: { failures: 1 } });
    },

    /** Before the first write of a row. False if it is done, or its import is over. */
    async noteBegun(id: string): Promise<boolean> {
      const { matchedCount } = await rowModel.updateOne({ _id: id, ...undone }, { $set: { begun: true } });
      return matchedCount === 1;
    },

    async ofPerson(importId: number, person: string): Promise<ImportItem[]> {
      return await findRows(rowModel, { import_id: importId, person }, { sort: { row: 1 } });
    },

    /** Whether a row before it in the file, of the same person, is about one of these cases. */
    async isAfterAnother(
      session: Session,
      { import_id, person, row }: Pick<ImportItem, 'import_id' | 'person' | 'row'>,
      caseIds: number[],
    ): Promise<boolean> {
      const filter = { import_id, person, row: { $lt: row }, case_id: { $in: caseIds } };
      return (await rowModel.exists(filter).session(session)) !== null;
    },

    async isWaiting(session: Session, id: string): Promise<boolean> {
      return (await rowModel.exists({ _id: id, ...undone }).session(session)) !== null;
    },

    /** The case of a row is done; its person is next. False if the row is done. */
    async noteCase(
      session: Session,
      id: string,
      { outcome, ...ids }: Pick<Result, 'user_id' | 'case_id'> & NonNullable<ImportItem['done_case']>,
    ): Promise<boolean> {
      const set = { done_case: { outcome }, ...ids };
      const filter = { _id: id, ...undone, done_case: null };
      return (await rowModel.updateOne(filter, { $set: set }, { session })).modifiedCount === 1;
    },

    /**
     * A row that is done stays as it is. A refused one expires with its payload, however long its import still waits; the payload goes
     * immediately if its person was erased meanwhile.
     */
    async finish(results: readonly { id: string; result: Result }[], session?: Session): Promise<void> {
      const updates = results.map(({ id, result }) => {
        const isRefused = result.outcome === 'refused';
        const isKept = isRefused && result.code !== 'user_not_found';
        const set = {
          // A sentence may begin with a `$`.
          ...Object.fromEntries(Object.entries(result).map(([field, $literal]) => [field, { $literal }])),
          ...(isRefused && { expires_at: databaseTimeIn(rowMs) }),
          ...(!isKept && { payload: null }),
        };
        return { updateOne: { filter: { _id: id, ...undone }, update: [{ $set: set }] } };
      });
      await updateRows(rowModel, updates, session ? { session } : {});
    },
  };
}
