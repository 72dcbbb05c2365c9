import type { MetricTable } from '@casewatch/platform';

export const webhooksMetrics = {
  'webhooks.attempt_duration': {
    kind: 'histogram',
    unit: 's',
    labels: ['result'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    description: 'Duration of attempts by result: delivered, or the class of the error',
  },
  'webhooks.deliveries': {
    kind: 'counter',
    labels: ['outcome'],
    description: 'Deliveries that ended, by outcome: delivered, or failed after the last attempt',
  },
  'webhooks.endpoints': {
    kind: 'gauge',
    labels: ['state'],
    description: 'Endpoints by state: failing, disabled',
  },
  'webhooks.in_flight': { kind: 'gauge', description: 'Attempts in progress in this replica' },
  'webhooks.oldest_overdue': {
    kind: 'gauge',
    description: 'Age of the oldest due delivery that nothing holds back, s',
  },
} as const satisfies MetricTable;
