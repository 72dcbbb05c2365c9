import { collection } from '@casewatch/platform/database';
import type { Receipt } from '../domain/receipt.ts';

/** Only watched receipts have a bucket: null is not greater than any string. */
export const watchedOnly = { bucket: { $gt: '' } };

export const receiptModel = collection<Receipt>('receipts', String, [
  { name: 'due', keys: { bucket: 1, checked_at: 1 }, partialFilterExpression: watchedOnly },
  {
    name: 'overdue',
    keys: { overdue_since: 1 },
    partialFilterExpression: { overdue_since: { $gt: new Date(0) } },
  },
  {
    name: 'held',
    keys: { 'held.at': 1 },
    partialFilterExpression: { 'held.at': { $gt: new Date(0) } },
  },
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 0 },
]);
