import { collection } from '@casewatch/platform';
import type { Receipt } from '../domain/receipt.ts';

export const receiptModel = collection<Receipt>('receipts', String, [
  // Only watched receipts have a class: null is not greater than any string.
  {
    name: 'schedule',
    keys: { schedule_class: 1, next_check_at: 1 },
    partialFilterExpression: { schedule_class: { $gt: '' } },
  },
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
