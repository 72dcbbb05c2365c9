import { type StatisticsPeriod, toPartnerTime } from '@casewatch/contracts';
import type { Period } from '../domain/statistics.ts';

export function presentPeriod({ start, counts }: Period): StatisticsPeriod {
  return {
    start: toPartnerTime(start),
    users_created: counts['user.created'],
    cases_created: counts['case.created'],
    status_changes: counts['case.status_updated'],
    notifications_sent: counts['notification.sent'],
    notifications_failed: counts['notification.failed'],
    deliveries: counts.delivery,
    deliveries_failed: counts['failed delivery'],
  };
}
