import { counter, gauge, histogram, type MetricTable } from '@casewatch/platform';

export const monitorMetrics = {
  'monitor.requests': counter('Requests to USCIS by result and lane', { labels: ['lane', 'result'] }),
  'monitor.detection_delay': histogram(
    'Time between the modified date of a new status and its detection; USCIS gives the date without a time zone',
    { unit: 's', buckets: [600, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400, 172_800, 345_600, 691_200] },
  ),
  'monitor.last_success_age': gauge(
    'Time since the last answer of USCIS about a receipt; of the sender only',
    { unit: 's' },
  ),
  'monitor.shares_refused': counter('Live checks refused because the share of the caller is used up', {
    labels: ['caller'],
  }),
  'monitor.neighbour_alarms': counter('Callers that checked neighboring receipt numbers'),
  'monitor.unknown_titles': counter('Receipts that changed to a title outside the status table', {
    labels: ['category'],
  }),
  'monitor.unparseable_answers': counter('Answers of USCIS that could not be parsed'),
  'monitor.unread_fields': counter(
    'Fields that could not be read in answers of USCIS that were used without them; `expires_in` is the lifetime of a token',
    { labels: ['field'] },
  ),
  'monitor.held_updates': counter('Changed receipts that wait for an operator’s decision'),
  'monitor.fan_out_lag': histogram('Time between a changed answer and the event of the last affected case', {
    unit: 's',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300],
  }),
  'monitor.fan_out_failed': counter(
    'Failed attempts to fan out a receipt’s change to its cases; each change is retried',
  ),
  'monitor.breaker.open': gauge('1 while the circuit breaker is open, else 0; of the sender only'),
  'monitor.pace': gauge('Share of the rate in use since a spike arrest; of the sender only'),
  'monitor.quota.used': gauge('Requests of today by lane, counted before they are sent; of the sender only', {
    labels: ['lane'],
  }),
  'monitor.quota.left': gauge('Requests left today by lane; of the sender only', { labels: ['lane'] }),
  'monitor.quota.spent': gauge(
    '1 while USCIS says that our quota is spent, whatever our own count is, else 0; of the sender only',
  ),
  'monitor.check_age': gauge('Age of the last successful check of watched receipts', {
    unit: 's',
    labels: ['class', 'quantile'],
  }),
  'monitor.watched_receipts': gauge('Watched receipts by class', { labels: ['class'] }),
  'monitor.overdue_receipts': gauge('Receipts without a recent check'),
  'monitor.interval': gauge('Interval between two checks of a receipt, planned and real', {
    unit: 's',
    labels: ['kind', 'quantile'],
  }),
  'monitor.checks.needed': gauge('Checks per day that the plan needs'),
  'monitor.checks.available': gauge('Checks per day that the quota leaves for scheduled checks'),
  'monitor.room': gauge('Receipts that can be added before the planned median interval is too long'),
} satisfies MetricTable;
