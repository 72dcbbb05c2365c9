import { createInstruments, type GaugeRow, type Meter, showGauges } from '@casewatch/platform';
import type { QuotaUse } from './domain/quota.ts';
import type { Health } from './domain/upstream-state.ts';
import { monitorMetrics } from './metric-table.ts';
import type { Planner } from './scheduling/planner.ts';

type SenderState = {
  state(): { health: Health };
  msSinceAnswer(): number | null;
  quotaUse(): QuotaUse | null;
};

export function createMetrics(meter: Meter, planner: Pick<Planner, 'stats' | 'capacity'>) {
  const all = createInstruments(meter, monitorMetrics);
  let sender: SenderState | null = null;

  const sinceSuccess = () => {
    const ms = sender?.msSinceAnswer() ?? undefined;
    return ms && ms / 1_000;
  };
  const breaker = () => sender?.state().health.breaker;
  const checks = () => planner.capacity?.checks;
  const lanes = (kind: 'used' | 'left') =>
    Object.entries(sender?.quotaUse() ?? {}).map(([lane, use]): GaugeRow => [use[kind], { lane }]);
  const intervals = (kind: 'planned' | 'real') => quantilesOf(planner.capacity?.[kind], { kind });

  showGauges(all, {
    'monitor.check_age': () => quantilesOf(planner.stats?.ages, { class: 'all' }),
    'monitor.watched_receipts': () =>
      (checks()?.by_class ?? []).map((row) => [row.receipts, { class: row.class }]),
    'monitor.interval': () => [...intervals('planned'), ...intervals('real')],
    'monitor.overdue_receipts': () => [[planner.stats?.overdue]],
    'monitor.checks.needed': () => [[checks()?.needed_per_day]],
    'monitor.checks.available': () => [[checks()?.available_per_day]],
    'monitor.room': () => [[checks()?.room]],
    'monitor.breaker.open': () => [[breaker() && Number(breaker() === 'open')]],
    'monitor.pace': () => [[sender?.state().health.pace]],
    'monitor.quota.used': () => lanes('used'),
    'monitor.quota.left': () => lanes('left'),
    'monitor.quota.spent': () => [[sender ? Number(sender.state().health.quota_spent) : undefined]],
    'monitor.last_success_age': () => [[sinceSuccess()]],
  });

  return {
    all,
    /** The gauges of the sender; null: this replica does not send. */
    showSender(state: SenderState | null): void {
      sender = state;
    },
  };
}

function quantilesOf(
  values: Record<string, number> | null | undefined,
  labels: Record<string, string>,
): GaugeRow[] {
  return Object.entries(values ?? {}).map(([quantile, value]) => [value, { ...labels, quantile }]);
}
