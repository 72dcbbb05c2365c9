import { type EventData, isUrgentMonitoring } from '@casewatch/contracts';
import type { EventHandler } from '@casewatch/platform';
import { databaseTime, type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { newChange } from '../rules/status-update.ts';
import { delayAfter, monitoringOf, type WatchFacts } from '../rules/watching.ts';
import type { CaseRow } from '../store/cases.ts';

/** Ids of status updates are the monitor's, and count from 1. Those of states of monitoring stand beside them, and count from here. */
const firstId = 2 ** 52;

/** Stores the monitoring status of the present watch with the highest revision. */
export function onMonitoringChanged(ctx: Context): EventHandler<'status.monitoring_changed'> {
  return async ({ case: { id }, state, since, next_check_at, revision, case_version }) => {
    const monitoring = {
      state,
      since: new Date(since),
      next_check_at: next_check_at === null ? null : new Date(next_check_at),
      revision,
    };
    const factsAfter = ({ overdue_since }: CaseRow) => ({
      monitoring,
      overdue_since: delayAfter(overdue_since, monitoring.since),
    });
    await changeMonitoring(ctx, factsAfter, (session) =>
      ctx.stores.cases.setMonitoring(session, { id, monitoring, caseVersion: case_version }),
    );
  };
}

export function onCheckOverdue(ctx: Context): EventHandler<'status.check_overdue'> {
  return async ({ case: { id }, since }) => {
    const overdue_since = new Date(since);
    const factsAfter = () => ({ overdue_since });
    await changeMonitoring(ctx, factsAfter, (session) =>
      ctx.stores.cases.setOverdue(session, id, overdue_since),
    );
  };
}

/**
 * Changes the monitoring of a case. A state that is urgent and new stands in the list of changes, once: an event that comes
 * again finds it. `write` returns the case as it was; null if it changed nothing, or the case is gone.
 */
async function changeMonitoring(
  ctx: Context,
  factsAfter: (before: CaseRow) => Partial<WatchFacts>,
  write: (session: Session) => Promise<CaseRow | null>,
): Promise<void> {
  const number = await ctx.ids.next('monitoring_changes');
  await transaction(ctx.db, async (session) => {
    const before = await write(session);
    if (before === null || before.partner_id === null) return;
    const { state, since } = monitoringOf({ ...before, ...factsAfter(before) });
    if (!isUrgentMonitoring(state) || state === monitoringOf(before).state || since === null) return;
    const at = await databaseTime(ctx.db);
    await ctx.stores.statusUpdates.insertMonitoringChange(session, {
      _id: firstId + number,
      case_id: before._id,
      change: newChange({
        partner_id: before.partner_id,
        at,
        urgent: true,
        assignee_id: before.assignee_id ?? null,
      }),
      monitoring: { state, since },
    });
  });
}

/** Checks without a change. */
export function onStatusChecked(ctx: Context) {
  return async ({ case_ids, checked_at, next_check_at }: EventData<'status.checked'>): Promise<void> => {
    const next = next_check_at === null ? null : new Date(next_check_at);
    await ctx.stores.cases.setChecked(case_ids, new Date(checked_at), next);
  };
}
