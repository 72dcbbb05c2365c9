import type { MetricTable } from '@casewatch/platform';

export const monitorMetrics = {
  'monitor.requests': {
    kind: 'counter',
    labels: ['lane', 'result'],
    description: 'Requests to USCIS by result and lane',
  },
  'monitor.detection_delay': {
    kind: 'histogram',
    unit: 's',
    buckets: [600, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400, 172_800, 345_600, 691_200],
    description:
      'Time between the modified date of a new status and its detection; USCIS gives the date without a time zone',
  },
  'monitor.last_success_age': {
    kind: 'gauge',
    unit: 's',
    description: 'Time since the last answer of USCIS about a receipt; of the sender only',
  },
  'monitor.shares_refused': {
    kind: 'counter',
    labels: ['caller'],
    description: 'Live checks refused because the share of the caller is used',
  },
  'monitor.neighbour_alarms': {
    kind: 'counter',
    description: 'Callers that checked neighbouring receipt numbers',
  },
  'monitor.unknown_titles': {
    kind: 'counter',
    labels: ['category'],
    description: 'Receipts that changed to a title outside the status table',
  },
  'monitor.unparseable_answers': {
    kind: 'counter',
    description: 'Answers of USCIS that could not be parsed',
  },
  'monitor.held_updates': {
    kind: 'counter',
    description: 'Changed receipts that wait for the decision of an operator',
  },
  'monitor.fan_out_lag': {
    kind: 'histogram',
    unit: 's',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300],
    description: 'Time between a changed answer and the event of the last case that got it',
  },
  'monitor.breaker.open': {
    kind: 'gauge',
    description: '1 while the circuit breaker is open, else 0; of the sender only',
  },
  'monitor.pace': {
    kind: 'gauge',
    description: 'Share of the rate in use since a spike arrest; of the sender only',
  },
  'monitor.quota.used': {
    kind: 'gauge',
    labels: ['lane'],
    description: 'Requests of today by lane, counted before they are sent; of the sender only',
  },
  'monitor.quota.left': {
    kind: 'gauge',
    labels: ['lane'],
    description: 'Requests left today by lane; of the sender only',
  },
  'monitor.check_age': {
    kind: 'gauge',
    unit: 's',
    labels: ['class', 'quantile'],
    description: 'Age of the last successful check of watched receipts',
  },
  'monitor.watched_receipts': { kind: 'gauge', labels: ['class'], description: 'Watched receipts by class' },
  'monitor.overdue_receipts': { kind: 'gauge', description: 'Receipts without a recent check' },
  'monitor.interval': {
    kind: 'gauge',
    unit: 's',
    labels: ['kind', 'quantile'],
    description: 'Interval between two checks of a receipt, planned and real',
  },
  'monitor.checks.needed': { kind: 'gauge', description: 'Checks per day that the plan makes' },
  'monitor.checks.available': {
    kind: 'gauge',
    description: 'Checks per day that the quota leaves for scheduled checks',
  },
  'monitor.room': {
    kind: 'gauge',
    description: 'Receipts that can be added before the planned median interval is too long',
  },
} as const satisfies MetricTable;
