import { rowContext, transaction } from '@casewatch/platform';
import type { FanOut } from '../domain/fan-out.ts';
import type { Receipt } from '../domain/receipt.ts';
import { type ChangeContext, ConflictError } from './retry-on-conflict.ts';

/** An operator's command has no signals: the sender finds the row by itself. */
type FanOutContext = Pick<ChangeContext, 'db' | 'stores'> & Partial<Pick<ChangeContext, 'signals'>>;

type Write = { before: Receipt; receipt: Receipt; fanOut: FanOut };

/** Writes a changed receipt with the row that tells its cases. @throws ConflictError if the receipt changed since it was read */
export async function writeWithFanOut(ctx: FanOutContext, { before, receipt, fanOut }: Write): Promise<void> {
  await transaction(ctx.db, async (session) => {
    if (!(await ctx.stores.receipts.write(before, receipt, session))) throw new ConflictError('receipt');
    await ctx.stores.fanOuts.add({ ...fanOut, ...rowContext() }, session);
  });
  ctx.signals?.emit('fanOuts');
}
