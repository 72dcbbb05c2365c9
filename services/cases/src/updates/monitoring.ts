import type { EventData } from '@casewatch/contracts';
import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** Stores the monitoring status of the present watch with the highest revision. */
export function onMonitoringChanged(ctx: Context): EventHandler<'status.monitoring_changed'> {
  return async ({ case: { id }, state, since, next_check_at, revision, case_version }) => {
    const monitoring = {
      state,
      since: new Date(since),
      next_check_at: next_check_at === null ? null : new Date(next_check_at),
      revision,
    };
    await ctx.stores.cases.setMonitoring(id, monitoring, case_version);
  };
}

export function onCheckOverdue(ctx: Context): EventHandler<'status.check_overdue'> {
  return async ({ case: { id }, since }) => {
    await ctx.stores.cases.setOverdue(id, new Date(since));
  };
}

/** Checks without a change. */
export function onStatusChecked(ctx: Context) {
  return async ({ case_ids, checked_at, next_check_at }: EventData<'status.checked'>): Promise<void> => {
    const next = next_check_at === null ? null : new Date(next_check_at);
    await ctx.stores.cases.setChecked(case_ids, new Date(checked_at), next);
  };
}
