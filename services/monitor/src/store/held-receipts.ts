import type { Connection } from '@casewatch/platform';
import type { Receipt } from '../domain/receipt.ts';
import { receiptModel } from './receipt-model.ts';

// The filter of the index.
const held = { 'held.at': { $gt: new Date(0) } };

/** Receipts of the collection `receipts` with a change that waits for the decision of an operator. */
export function createHeldReceiptStore(db: Connection) {
  const model = receiptModel(db);
  return {
    async count(): Promise<number> {
      return await model.countDocuments(held).hint('held');
    },

    async find(limit: number): Promise<Receipt[]> {
      return await model.find(held).limit(limit).hint('held').lean<Receipt[]>();
    },
  };
}
