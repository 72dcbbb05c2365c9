import type { EventData, MonitoringState } from '@casewatch/contracts';
import { type EventHandler, NotYetError, PoisonError, RetryLaterError } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { StaffAlert } from '../rules/status-update.ts';
import type { CaseRow } from '../store/cases.ts';

/**
 * Stores how far the mail to a member about a change is; the highest revision of each member wins. If the event comes before its
 * StatusUpdate, it begins a row that is not shown until `status.updated` completes the row.
 */
export function onAlertUpdated(ctx: Context): EventHandler<'alert.updated'> {
  return async (data) => {
    const { status_update_id: id, monitoring } = data;
    const report = { caseId: data.case_id, staffId: data.staff_id, alert: alertOf(data) };
    if (monitoring !== null) {
      const ofState = { state: monitoring.state, since: new Date(monitoring.since) };
      await setOfMonitoring(ctx, { ...report, monitoring: ofState });
    } else if (id !== null && !(await ctx.stores.statusUpdates.setAlert({ ...report, id })))
      await beginOrIgnore(ctx, { ...report, id });
  };
}

type MonitoringReport = Omit<AlertReport, 'id'> & { monitoring: { state: MonitoringState; since: Date } };

/**
 * Rows of states of monitoring get their ids here, so none can be begun. Not each state has a row: one that was over before its event
 * came has none, and what was told of it is forgotten.
 */
async function setOfMonitoring({ stores }: Context, report: MonitoringReport): Promise<void> {
  const { caseId, monitoring } = report;
  if (await stores.statusUpdates.setMonitoringAlert(report)) return;
  const ofCase = await stores.cases.find(caseId);
  if (ofCase === null || !mayCome(ofCase, monitoring)) return;
  if (await stores.statusUpdates.hasMonitoringChange(caseId, monitoring)) return;
  throw new NotYetError('the state of monitoring has not arrived yet');
}

/** Whether the event of the state may be on its way: what the case knows of its monitoring is older. */
function mayCome(
  { watched, monitoring, overdue_since, last_checked }: CaseRow,
  { state, since }: MonitoringReport['monitoring'],
): boolean {
  const known = state === 'overdue' ? [overdue_since, last_checked] : [];
  return watched && [monitoring.since, ...known].every((at) => at === null || at < since);
}

type AlertReport = { id: number; caseId: number; staffId: number; alert: StaffAlert };

/** No row was set: the event is stale, the case is gone, or the StatusUpdate has not come yet. */
async function beginOrIgnore(ctx: Context, report: AlertReport): Promise<void> {
  const { id, caseId, staffId, alert } = report;
  await transaction(ctx.db, async (session) => {
    const stored = await ctx.stores.statusUpdates.find(id, session);
    if (stored && stored.case_id !== caseId)
      throw new PoisonError(`StatusUpdate ${id} is of case ${stored.case_id}; not of case ${caseId}`);
    if (stored && (stored.alerts?.[staffId]?.revision ?? 0) >= alert.revision) return;
    if (stored) throw new RetryLaterError('the StatusUpdate was stored at the same moment');
    if (!(await ctx.stores.cases.conflictWithErasure(session, caseId))) return;
    await ctx.stores.statusUpdates.insertWithAlert(session, report);
  });
}

function alertOf({ revision, status, sent_at }: EventData<'alert.updated'>): StaffAlert {
  return { revision, status, sent_at: sent_at === null ? null : new Date(sent_at) };
}
