import { type CaseReference, estimatedRespondBy, momentOf, type StatusUpdated } from '@casewatch/contracts';
import { type Delivery, type EventHandler, rowContext } from '@casewatch/platform';
import { databaseTime } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { dayAfter } from '../domain/local-time.ts';
import type { FirmNews } from '../store/firm-news.ts';
import { fetchFirm, reminderDays } from './ask-firm.ts';
import { eraseLateNews, newNews } from './take-news.ts';

/** 08:00 on the clocks of the firm: after the quiet hours that most members keep, and before the day's work. */
const minuteOfReminder = 8 * 60;

/**
 * Each day for an answer that a case ever has gets reminders. Which day holds, and whether the answer is sent, only cases knows: it is
 * asked when one is due (`reasonNotToTell`). So a day that is moved, moved back, done or undone changes nothing here, and events can
 * come late, again and in any order.
 */
export function onCaseCreated(ctx: Context): EventHandler<'case.created'> {
  return async ({ case: reference, respond_by }, { time }) =>
    await planReminders(ctx, reference, { day: respond_by, time });
}

export function onCaseUpdated(ctx: Context): EventHandler<'case.updated'> {
  return async ({ case: reference, respond_by }, { time }) =>
    await planReminders(ctx, reference, { day: respond_by, time });
}

/** Our estimate comes with the status: the same function as in cases, of the same facts. */
export async function planEstimated(
  ctx: Context,
  { case: reference, status_update, title_modified_date }: StatusUpdated,
  { time }: Pick<Delivery, 'time'>,
): Promise<void> {
  const seenAt = new Date(status_update.timestamp);
  const day = estimatedRespondBy({ ...status_update, title_modified_date }, seenAt);
  await planReminders(ctx, reference, { day, time });
}

/** `time`: of the event. An event may wait past 08:00: the reminder of that moment is then due, and not missed. */
type SetDay = { readonly day: { readonly date: string } | null; readonly time: Date };

async function planReminders(ctx: Context, reference: CaseReference, { day, time }: SetDay): Promise<void> {
  const { partner_id } = reference;
  if (day === null || partner_id === null || (await ctx.stores.tombstones.has(reference.user_id))) return;
  const [now, timeZone] = await Promise.all([databaseTime(ctx.db), zoneOf(ctx, partner_id)]);
  // Another service's clock may be fast.
  const setAt = time < now ? time : now;
  const times = remindersBefore(day.date, { setAt, timeZone });
  const rows = times.map(({ days, at }) => ({
    ...newNews(ctx, reference, rowContext()),
    _id: `case:${reference.id}:due:${day.date}:${days}`,
    kind: 'reminder' as const,
    partner_id,
    // It reaches somebody in any case: a missed day can cost people their case.
    urgent: true,
    category: null,
    facts: null,
    monitoring: null,
    due: { date: day.date, days },
    observed_at: at,
    due_at: at,
  }));
  await ctx.stores.firmNews.insertAll(rows satisfies FirmNews[]);
  await eraseLateNews(ctx, rows);
}

/**
 * The reminders before a day that were ahead when it was set. What had passed is not made up for: a day that is nearer than 30 days gets
 * the next one at its time, and then the others; a day that had passed gets none.
 */
export function remindersBefore(
  date: string,
  { setAt, timeZone }: { setAt: Date; timeZone: string },
): { days: number; at: Date }[] {
  return reminderDays
    .map((days) => ({
      days,
      at: momentOf({ day: dayAfter(date, -days), minute: minuteOfReminder }, timeZone),
    }))
    .filter(({ at }) => at > setAt);
}

/** Without an answer of identity that of most firms: a reminder that comes some hours early is better than none. */
async function zoneOf({ bus, config, log }: Context, partnerId: number): Promise<string> {
  try {
    const { firm } = await fetchFirm(bus, partnerId);
    return firm?.time_zone ?? config.NOTIFY_TIME_ZONE;
  } catch (error) {
    log.info(
      { partner_id: partnerId, err: error },
      'firm unavailable; its reminders are in our own time zone',
    );
    return config.NOTIFY_TIME_ZONE;
  }
}
