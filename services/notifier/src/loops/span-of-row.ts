import { failSpan, inContext, inSpan, newContext } from '@casewatch/platform';
import type { Outcome } from '../domain/outcome.ts';
import type { MailRow } from '../store/mails.ts';
import type { NotificationRow } from '../store/notification-model.ts';

type Row = Pick<NotificationRow | MailRow, '_id' | 'attempts' | 'request_id' | 'traceparent'>;

/** Makes one attempt in the trace that created the row. */
export async function inSpanOfRow<T>(
  { _id, attempts, request_id, traceparent }: Row,
  channel: string,
  attempt: (noteOutcome: (outcome: Outcome) => void) => Promise<T>,
): Promise<T> {
  const attributes = { 'casewatch.row': _id, 'casewatch.attempt': attempts };
  return await inContext(newContext(request_id, traceparent), () =>
    inSpan({ name: `send ${channel}`, kind: 'client', attributes }, (span) =>
      attempt(({ kind }) => {
        span?.setAttribute('casewatch.outcome', kind);
        if (span && kind !== 'accepted') failSpan(span, kind);
      }),
    ),
  );
}
