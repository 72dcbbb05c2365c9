import { receiptNumber } from '@casewatch/contracts';
import { UsageError } from '@casewatch/platform';
import { z } from 'zod';
import { firstCheck, retryBucket } from '../domain/buckets.ts';
import { command } from './command.ts';

const minuteMs = 60_000;

export const recheck = command({
  words: 'recheck',
  options: z.strictObject({
    receipt: receiptNumber.optional(),
    all: z.boolean().default(false),
    'within-minutes': z.coerce.number().min(1).max(43_200).default(1_440),
  }),
  form: '--receipt EAC9999103403 | --all [--within-minutes 1440]',
  async run({ stores: { dueReceipts }, planner }, flags) {
    if (flags.all === (flags.receipt !== undefined)) throw new UsageError('Give --receipt or --all.');
    if (flags.receipt === undefined) {
      const withinMs = flags['within-minutes'] * minuteMs;
      const watched = (await dueReceipts.oldestChecks()).map(({ bucket }) => ({ from: bucket, to: bucket }));
      let count = 0;
      for (const move of [...watched, { from: null, to: retryBucket(1) }]) {
        const intervalMs = planner.plan().intervalMs(move.to);
        count += await dueReceipts.makeAllDue({ ...move, intervalMs, withinMs });
      }
      const sentence = `${count} receipts are due within ${flags['within-minutes']} minutes.`;
      return { json: { receipts: count }, lines: [sentence] };
    }
    if (!(await dueReceipts.makeDue(flags.receipt, firstCheck)))
      throw new Error('No case watches this receipt.');
    return { json: { receipts: 1 }, lines: ['The receipt is due now.'] };
  },
});
