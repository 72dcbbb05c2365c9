import { ApiError } from '@casewatch/platform';

/** The government refuses the receipt number; `said` is its own sentence where it gave one. */
export function receiptRejected(said: string | null): ApiError {
  const message = `The government refuses this receipt number${said ? `: ${said}` : '.'}`;
  const fault = {
    in: 'body',
    pointer: '#/receipt_number',
    code: 'receipt_number_rejected',
    message,
  } as const;
  return new ApiError('receipt_number_rejected', { message, faults: [fault] });
}
