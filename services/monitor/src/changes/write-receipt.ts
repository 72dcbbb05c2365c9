import { rowContext } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { FanOut } from '../domain/fan-out.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { ChangeContext } from './retry-on-conflict.ts';

/** An operator's command has no signals: the sender finds the row by itself. */
type WriteContext = Pick<ChangeContext, 'db' | 'stores'> & Partial<Pick<ChangeContext, 'signals'>>;

type Write = { before: Receipt; receipt: Receipt; fanOut: FanOut | null };

/** Writes a receipt, with the row that tells its cases. @throws ConflictError if the receipt changed since it was read */
export async function writeReceipt(
  { db, stores, signals }: WriteContext,
  { before, receipt, fanOut }: Write,
): Promise<void> {
  if (!fanOut) return await stores.receipts.write(before, receipt);
  await transaction(db, async (session) => {
    await stores.receipts.write(before, receipt, session);
    await stores.fanOuts.add({ ...fanOut, ...rowContext() }, session);
  });
  signals?.emit('fanOuts');
}
