import { startSibling, waitFor } from '@casewatch/testing';
import mongoose from 'mongoose';
import { hashesOf } from '../../../../services/monitor/src/domain/case-content.ts';
import { parseCaseStatus } from '../../../../services/monitor/src/domain/parse-case-status.ts';
import { end } from '../kit/processes.ts';
import type { Servers } from '../kit/servers.ts';
import { caseOf, receiptAt } from './cases.ts';
import { startMonitor } from './environment.ts';

type Row = { _id: string } & Record<string, unknown>;
type WatchRow = { _id: number } & Record<string, unknown>;
type Template = { receipt: Row; watch: WatchRow };

const rowsPerInsert = 5_000;
const hourMs = 60 * 60 * 1_000;
const longMs = 30 * 24 * hourMs;
const firstCase = 1_000_000;

/** What the monitor keeps of the case that is served for a receipt. */
function observedOf(_id: string) {
  const status = parseCaseStatus(caseOf(_id));
  if (!status) throw new Error(`the bench's government serves no title for ${_id}`);
  return { _id, facts: status.facts, ...hashesOf(status) };
}

/** Creates one watched receipt the ordinary way: a case event and a monitor that checks the receipt. */
export async function makeTemplate(
  store: Store,
  servers: Servers,
  env: Record<string, string>,
  receipt: string,
) {
  const cases = await startSibling('cases', servers.nats);
  const monitor = await startMonitor(env);
  await cases.publish('case.created', {
    case: { id: 1, user_case_id: 'FLOW0000001', receipt_number: receipt, user_id: 1, partner_id: 1 },
    watched: true,
    active: true,
    version: 1,
    baseline: null,
    first_check: 'deferred',
  });
  const template = await waitFor(() => store.template(), { timeoutMs: 60_000, what: 'the first check' });
  await end(monitor);
  await cases.stop();
  return template;
}

/** The monitor's collections, for a bench that fills and reads them. */
export async function openStore(url: string) {
  const connection = await mongoose
    .createConnection(url, { autoCreate: false, autoIndex: false })
    .asPromise();
  const receipts = connection.collection<Row>('receipts');
  const watches = connection.collection<WatchRow>('watches');

  return {
    receipts,
    close: () => connection.close(),

    async template(): Promise<Template | null> {
      const receipt = await receipts.findOne({ facts_hash: { $type: 'string' } });
      const watch = await watches.findOne({ active: true });
      return receipt && watch && { receipt, watch };
    },

    /** Replaces the template by `count` receipts like it, each watched by one case. */
    async fill(count: number, { receipt, watch }: Template): Promise<void> {
      const longAgo = new Date(Date.now() - longMs);
      const old = { new_since: longAgo, since: longAgo };
      for (let start = 0; start < count; start += rowsPerInsert) {
        const indexes = Array.from({ length: Math.min(rowsPerInsert, count - start) }, (_, i) => start + i);
        const receiptOf = (i: number) => ({
          ...receipt,
          ...old,
          ...observedOf(receiptAt(i)),
          sent: 0,
          watched_by: firstCase + i,
        });
        const watchOf = (i: number) => ({ ...watch, _id: firstCase + i, receipt_number: receiptAt(i) });
        await receipts.insertMany(indexes.map(receiptOf), { ordered: false });
        await watches.insertMany(indexes.map(watchOf), { ordered: false });
      }
      await receipts.deleteOne({ _id: receipt._id });
    },

    /** Checks of the last hour that are all due: the interval of the plan is at most 30 days. */
    async makeDue(): Promise<void> {
      const past = { $subtract: ['$$NOW', { $add: [longMs, { $multiply: [{ $rand: {} }, hourMs] }] }] };
      await receipts.updateMany({}, [{ $set: { checked_at: past, last_checked: past } }]);
    },

    /** Times of a schedule that runs for long: each age up to the interval is as frequent as any other. */
    async makeSteady(intervalMs: number): Promise<void> {
      const past = { $subtract: ['$$NOW', { $multiply: [{ $rand: {} }, intervalMs] }] };
      await receipts.updateMany({}, [{ $set: { checked_at: past, last_checked: past } }]);
    },

    /** Has mongod write all changes to its files, so that later figures do not include them. */
    async flush(): Promise<void> {
      await connection.db?.admin().command({ fsync: 1 });
    },

    async ids(): Promise<string[]> {
      const rows = await receipts
        .find({}, { projection: { _id: 1 } })
        .sort({ checked_at: 1 })
        .toArray();
      return rows.map(({ _id }) => _id);
    },

    /** One plain bulk write: each row changed as by a check, by its id. */
    async reschedule(ids: readonly string[], now: Date): Promise<void> {
      await receipts.bulkWrite(
        ids.map((_id) => ({
          updateOne: {
            filter: { _id },
            update: { $set: { sent: 1, last_checked: now, checked_at: now, failures: 0 } },
          },
        })),
        { ordered: false, writeConcern: { w: 'majority', journal: true } },
      );
    },
  };
}

export type Store = Awaited<ReturnType<typeof openStore>>;
