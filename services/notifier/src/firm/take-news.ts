import { isUrgent, isUrgentMonitoring, type MonitoringState, type StatusUpdated } from '@casewatch/contracts';
import { type CallContext, type EventHandler, rowContext } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { factsOf } from '../domain/notification-facts.ts';
import type { FirmNews } from '../store/firm-news.ts';
import { eraseNewsOfUser, erasePartner } from './erase-firm.ts';

type NewNews = Omit<FirmNews, 'due_at'>;

/**
 * The news that a change is for the firm of its case, with whatever event it becomes one: nobody is told of a baseline, of other words
 * for the same, or of what is held or not confirmed yet. Not of a direct user.
 */
export function newsOfChange(
  ctx: Context,
  { data, context }: { data: StatusUpdated; context: CallContext },
): NewNews | null {
  const { case: reference, status_update: update, skip_reason, skip_detail } = data;
  if (reference.partner_id === null || skip_reason !== null || skip_detail) return null;
  if (update.kind === 'translation' || update.kind === 'baseline') return null;
  return {
    ...newNews(ctx, reference, context),
    _id: String(update.id),
    kind: 'change',
    partner_id: reference.partner_id,
    urgent: isUrgent(update),
    category: update.category,
    facts: factsOf(data, ctx.clock.now()),
    monitoring: null,
    observed_at: new Date(update.timestamp),
  };
}

/** A case that USCIS does not know, or that nobody could check for too long, is urgent news for its firm. */
export function onMonitoringChanged(ctx: Context): EventHandler<'status.monitoring_changed'> {
  return async ({ case: reference, state, since }) => await takeMonitoring(ctx, { reference, state, since });
}

export function onCheckOverdue(ctx: Context): EventHandler<'status.check_overdue'> {
  return async ({ case: reference, since }) =>
    await takeMonitoring(ctx, { reference, state: 'overdue', since });
}

type Monitoring = { reference: StatusUpdated['case']; state: MonitoringState; since: string };

async function takeMonitoring(ctx: Context, { reference, state, since }: Monitoring): Promise<void> {
  const { partner_id, id } = reference;
  if (partner_id === null || !isUrgentMonitoring(state)) return;
  if (await ctx.stores.tombstones.has(reference.user_id)) return;
  const row: NewNews = {
    ...newNews(ctx, reference, rowContext()),
    _id: `monitoring:${id}:${state}:${new Date(since).toISOString()}`,
    kind: 'monitoring',
    partner_id,
    urgent: true,
    category: null,
    facts: null,
    monitoring: state,
    observed_at: new Date(since),
  };
  await ctx.stores.firmNews.insertDue([row]);
  await eraseLateNews(ctx, [row]);
  ctx.signals.emit('news');
}

/** An erasure writes its tombstone before it deletes, and misses what is stored after that: it goes here. */
export async function eraseLateNews(ctx: Context, rows: readonly NewNews[]): Promise<void> {
  const users = await ctx.stores.tombstones.among([...new Set(rows.map(({ user_id }) => user_id))]);
  for (const userId of users) await eraseNewsOfUser(ctx, userId);
  const partners = await ctx.stores.partnerTombstones.among([
    ...new Set(rows.map(({ partner_id }) => partner_id)),
  ]);
  for (const partnerId of partners) await erasePartner(ctx, partnerId);
}

/** What all news of a case has. */
export function newNews(
  ctx: Context,
  { id, user_id, user_case_id }: StatusUpdated['case'],
  context: CallContext,
) {
  return {
    user_id,
    case_id: id,
    user_case_id,
    due: null,
    request_id: context.request_id,
    traceparent: context.traceparent,
    created_at: ctx.clock.now(),
  };
}
