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
