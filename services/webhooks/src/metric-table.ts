import { counter, gauge, histogram, type MetricTable } from '@casewatch/platform';

export const webhooksMetrics = {
  'webhooks.attempt_duration': histogram(
    'Duration of attempts by result: delivered, or the class of the error',
    { unit: 's', labels: ['result'], buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15] },
  ),
  'webhooks.deliveries': counter(
    'Deliveries that ended, by outcome: delivered, failed after the last attempt, or cancelled by a 410',
    { labels: ['outcome'] },
  ),
  'webhooks.endpoints': gauge('Endpoints by state: failing, disabled', { labels: ['state'] }),
  'webhooks.in_flight': gauge('Attempts in progress in this replica'),
  'webhooks.oldest_overdue': gauge('Age of the oldest due delivery without a reason to wait, s'),
} satisfies MetricTable;
