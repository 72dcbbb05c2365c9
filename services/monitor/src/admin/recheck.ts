import { receiptNumber } from '@casewatch/contracts';
import { UsageError } from '@casewatch/platform';
import { z } from 'zod';
import { firstCheck, retryBucket } from '../domain/buckets.ts';
import { command } from './command.ts';

export const recheck = command({
  words: 'recheck',
  options: z.strictObject({ receipt: receiptNumber.optional(), all: z.boolean().default(false) }),
  form: '--receipt EAC9999103403 | --all',
  async run({ stores: { dueReceipts }, planner }, { receipt, all }) {
    if (all === (receipt !== undefined)) throw new UsageError('Give --receipt or --all.');
    if (receipt !== undefined) {
      if (!(await dueReceipts.makeDue(receipt, firstCheck))) throw new Error('No case watches this receipt.');
      return { json: { receipts: 1 }, lines: ['The receipt is due now.'] };
    }
    let receipts = 0;
    const watched = (await dueReceipts.oldestChecks()).map(({ bucket }) => ({ from: bucket, to: bucket }));
    for (const move of [...watched, { from: null, to: retryBucket(1) }])
      receipts += await dueReceipts.makeAllDue({ ...move, intervalMs: planner.plan().intervalMs(move.to) });
    return { json: { receipts }, lines: [`${receipts} receipts are due now.`] };
  },
});
