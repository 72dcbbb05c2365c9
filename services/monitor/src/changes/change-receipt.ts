import { RetryLaterError, rowContext } from '@casewatch/platform';
import { isDuplicateKey, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { FanOut } from '../domain/fan-out.ts';
import { type Receipt, unknownReceipt } from '../domain/receipt.ts';
import type { ScheduleParams } from '../domain/schedule.ts';
import { ConflictError } from '../store/conflict.ts';

export type ChangeContext = Pick<Context, 'db' | 'ids' | 'outbox' | 'stores' | 'signals'> & {
  readonly planner: ScheduleParams;
};

/** An operator's command has no signals: the sender finds the row by itself. */
type WriteContext = Pick<Context, 'db' | 'stores'> & Partial<Pick<Context, 'signals'>>;

/** `fanOut`: the row that tells the cases. */
type Written = { receipt: Receipt; fanOut: FanOut | null };

/** Writes the change of a stored receipt, and repeats it after a conflict. Null: no change. @throws RetryLaterError */
export async function changeReceipt<W extends Written>(
  { db, stores, signals }: WriteContext,
  receiptNumber: string,
  change: (stored: Receipt | null) => W | null,
): Promise<W | null> {
  return await retryOnConflict(async () => {
    const stored = await stores.receipts.find(receiptNumber);
    const written = change(stored);
    if (!written) return null;
    const { receipt, fanOut } = written;
    const before = stored ?? unknownReceipt(receiptNumber);
    if (!fanOut) await stores.receipts.write(before, receipt);
    else
      await transaction(db, async (session) => {
        await stores.receipts.write(before, receipt, session);
        await stores.fanOuts.add({ ...fanOut, ...rowContext() }, session);
      });
    if (fanOut) signals?.emit('fanOuts');
    return written;
  });
}

const maxAttempts = 20;

/** Repeats an attempt that throws ConflictError or a duplicate key. @throws RetryLaterError */
export async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let i = 0; i < maxAttempts; i++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDuplicateKey(error) && !(error instanceof ConflictError)) throw error;
    }
  }
  throw new RetryLaterError('too many concurrent writes to one receipt');
}
