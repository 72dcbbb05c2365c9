import { receiptNumber } from '@casewatch/contracts';
import { defineCommand, UsageError } from '@casewatch/platform';
import { z } from 'zod';
import type { SharedContext } from '../context.ts';
import { firstCheck, retryBucket } from '../domain/buckets.ts';
import type { DueNow } from '../store/receipts.ts';

export const recheck = defineCommand({
  words: 'recheck',
  options: z.strictObject({ receipt: receiptNumber.optional(), all: z.boolean().default(false) }),
  form: '--receipt EAC9999103403 | --all',
  async run({ clock, stores, planner }: SharedContext, { receipt, all }) {
    if (all === (receipt !== undefined)) throw new UsageError('Give --receipt or --all.');
    const moves: DueNow[] =
      receipt !== undefined
        ? [{ filter: { _id: receipt }, bucket: firstCheck }]
        : (await stores.receipts.oldestChecks()).map(({ bucket }) => ({ filter: { bucket }, bucket }));
    if (all) moves.push({ filter: { state: 'rejected', bucket: null }, bucket: retryBucket(1) });
    let receipts = 0;
    const now = clock.now().getTime();
    for (const move of moves) {
      const checkedAt = new Date(now - planner.plan.intervalMs(move.bucket));
      receipts += await stores.receipts.makeDue(move, checkedAt);
    }
    if (receipt !== undefined && receipts === 0) throw new Error('No case watches this receipt.');
    return { json: { receipts }, lines: [`Receipts that are due now: ${receipts}.`] };
  },
});
