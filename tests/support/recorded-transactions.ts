import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditRecord } from '@casewatch/contracts';
import { connectDatabase } from '@casewatch/testing';

/** A transaction with a record of what somebody did. `isAlone`: it wrote nothing else. */
type RecordedTransaction = { readonly record: AuditRecord; readonly isAlone: boolean };

type Write = { ns: string; o: { type?: string; body?: string } };

const audited = /\.audited$/;

/** The transactions of a system whose records have this text, as the log of the database has them. */
export async function recordedTransactions(dataDir: string, text: RegExp): Promise<RecordedTransaction[]> {
  const env = JSON.parse(readFileSync(join(dataDir, 'dev-env.json'), 'utf8'));
  const db = await connectDatabase(env.identity.MONGODB_URL);
  try {
    // Other systems may use the same mongod.
    const urls = ['identity', 'cases', 'notifier', 'webhooks'].map(
      (service) => new URL(env[service].MONGODB_URL),
    );
    const ns = { $in: urls.map(({ pathname }) => `${pathname.slice(1)}.outbox`) };
    const oplog = db.getClient().db('local').collection('oplog.rs');
    const outbox = { ns, 'o.type': audited, 'o.body': text };
    const entries = await oplog.find({ 'o.applyOps': { $elemMatch: outbox } }).toArray();
    return entries.flatMap(({ o }) => {
      const writes = o.applyOps as Write[];
      const records = writes.flatMap(({ o: row }) =>
        audited.test(row.type ?? '') ? (JSON.parse(row.body ?? '').data.records as AuditRecord[]) : [],
      );
      const isAlone = writes.every(({ o: row }) => audited.test(row.type ?? ''));
      return records.map((record) => ({ record, isAlone }));
    });
  } finally {
    await db.close();
  }
}
