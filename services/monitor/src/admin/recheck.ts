import { receiptNumber } from '@casewatch/contracts';
import { UsageError } from '@casewatch/platform';
import { z } from 'zod';
import { firstCheck, retryBucket } from '../domain/buckets.ts';
import type { DueNow } from '../store/due-receipts.ts';
import { command } from './command.ts';

export const recheck = command({
  words: 'recheck',
  options: z.strictObject({ receipt: receiptNumber.optional(), all: z.boolean().default(false) }),
  form: '--receipt EAC9999103403 | --all',
  async run({ stores: { dueReceipts }, planner }, { receipt, all }) {
    if (all === (receipt !== undefined)) throw new UsageError('Give --receipt or --all.');
    const moves: DueNow[] =
      receipt !== undefined
        ? [{ filter: { _id: receipt }, bucket: firstCheck }]
        : (await dueReceipts.oldestChecks()).map(({ bucket }) => ({ filter: { bucket }, bucket }));
    if (all) moves.push({ filter: { state: 'rejected', bucket: null }, bucket: retryBucket(1) });
    let receipts = 0;
    for (const move of moves)
      receipts += await dueReceipts.makeDue(move, planner.plan().intervalMs(move.bucket));
    if (receipt !== undefined && receipts === 0) throw new Error('No case watches this receipt.');
    return { json: { receipts }, lines: [`Receipts that are due now: ${receipts}.`] };
  },
});
