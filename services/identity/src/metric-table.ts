import { counter, gauge, type MetricTable } from '@casewatch/platform';

export const identityMetrics = {
  'identity.login_code_failures': counter('Wrong login codes'),
  'identity.oldest_unsent': gauge(
    'Age of the oldest mail of a queue that the notifier has not taken over yet; `login_codes` are sign-in codes',
    { unit: 's', labels: ['queue'] },
  ),
} satisfies MetricTable;
