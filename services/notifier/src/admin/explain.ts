import { type ExplainedStep, explainedCase, explainReport, traceOf } from '@casewatch/platform';
import { z } from 'zod';
import type { NotificationRow } from '../store/notification-model.ts';
import { command } from './open-admin.ts';

const service = 'notifier';

/** The notifications of a case, with the reasons of those that were skipped. */
export const explain = command({
  words: 'explain',
  options: z.strictObject({ case: explainedCase, user: z.coerce.number().int() }),
  form: '--case 7 --user 3',
  async run({ stores }, { case: id, user }) {
    return explainReport((await stores.notifications.ofCase(user, id)).flatMap(stepsOf));
  },
});

function stepsOf(row: NotificationRow): ExplainedStep[] {
  const { _id, status, reason, attempts, last_error, provider_text, created_at } = row;
  const { attempt_started_at, sent_at } = row;
  const trace = traceOf(row.traceparent);
  const said = provider_text ? ` (the provider said: ${provider_text})` : '';
  const cause = last_error === null ? reason : `${last_error}${said}`;
  const steps: [Date | null, string][] = [
    [created_at, `${status === 'skipped' ? `skipped (${cause})` : 'stored'}`],
    [attempt_started_at, `attempt ${attempts}${cause === null ? '' : `; last error: ${cause}`}`],
    [sent_at, `accepted by the provider; now ${status}`],
    [row.next_attempt_at, `${status}; the next attempt is due`],
  ];
  return steps.flatMap(([at, text]) =>
    at ? [{ at, service, text: `notification ${_id} ${text}`, ...trace }] : [],
  );
}
