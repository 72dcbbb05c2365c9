import { monitoringState, toIso } from '@casewatch/contracts';
import { newContext } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { AlertReason, AlertRow } from '../store/alerts.ts';

type Stored = Pick<Context, 'stores' | 'outbox'>;

type Change = {
  status: Exclude<AlertRow['status'], 'pending'>;
  reason: AlertReason | null;
  sent_at?: Date;
  /** Somebody else is told: of what is urgent, since nobody may have been; of all of it for a member who is away. */
  next: boolean;
};

/** Settles alerts as they were read in this transaction, says so, and lets others hear what they are to. */
export async function changeAlerts(
  { stores, outbox }: Stored,
  session: Session,
  rows: readonly AlertRow[],
  { next, ...change }: Change,
): Promise<void> {
  const changed = await stores.alerts.change(session, rows, change);
  await publishAlerts({ outbox }, session, changed);
  if (!next) return;
  const isAway = change.reason === 'member_away';
  const open = changed.filter((row) => (row.urgent || isAway) && row.staff_id !== null);
  for (const [staffId, ofMember] of Map.groupBy(open, (row) => row.staff_id ?? 0))
    await stores.firmNews.reopen(
      session,
      ofMember.map(({ news_id }) => news_id),
      staffId,
    );
}

/** `alert.updated` for what members are told of updates and states of monitoring: `told` of a change shows it. */
export async function publishAlerts(
  { outbox }: Pick<Context, 'outbox'>,
  session: Session,
  rows: readonly AlertRow[],
): Promise<void> {
  const additions = rows.flatMap((row) => {
    if (row.kind === 'reminder' || row.staff_id === null) return [];
    const monitoring = row.kind === 'monitoring' ? monitoringOf(row) : null;
    const data = {
      status_update_id: monitoring === null ? Number(row.news_id) : null,
      monitoring,
      case_id: row.case_id,
      staff_id: row.staff_id,
      status: row.status,
      sent_at: row.sent_at === null ? null : toIso(row.sent_at),
      revision: row.revision,
    };
    const context = newContext(row.request_id, row.traceparent);
    const subject = monitoring === null ? `status_update/${row.news_id}` : `case/${row.case_id}`;
    return [{ subject, data, context }];
  });
  await outbox.addAll(session, 'alert.updated', additions);
}

/** The state whose news it is, by the id of the news. */
function monitoringOf({ news_id, observed_at }: AlertRow) {
  const state = monitoringState.parse(news_id.split(':')[2]);
  return { state, since: toIso(observed_at) };
}
