import type { WebhookEventType } from '@casewatch/contracts';

/** Types of events that are counted. */
export const countedTypes = [
  'user.created',
  'case.created',
  'case.status_updated',
  'notification.sent',
  'notification.failed',
] as const satisfies readonly WebhookEventType[];

export type CountedType = (typeof countedTypes)[number];

/** What is counted. */
const statisticsKinds = [...countedTypes, 'delivery', 'failed delivery'] as const;
type StatisticsKind = (typeof statisticsKinds)[number];

/** A count of one kind in the hour that begins at `hour`. */
export type Counted<Kind extends StatisticsKind = StatisticsKind> = { hour: Date; kind: Kind; count: number };

export type Period = { start: Date; counts: Record<StatisticsKind, number> };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The last 24 hours and the last 30 days; days are in UTC. */
export const periodsShown = { hours: { size: hourMs, count: 24 }, days: { size: dayMs, count: 30 } };

type Shown = { readonly size: number; readonly count: number };

/** Start of the oldest period. */
export function statisticsSince(now: Date, { size, count }: Shown = periodsShown.days): Date {
  return new Date((Math.floor(now.getTime() / size) - (count - 1)) * size);
}

/** Sums the counts of hours by period, oldest first. */
export function periodsOf(counted: readonly Counted[], now: Date, shown: Shown): Period[] {
  const first = statisticsSince(now, shown).getTime();
  const periods = Array.from({ length: shown.count }, (_, index) => ({
    start: new Date(first + index * shown.size),
    counts: noCounts(),
  }));
  for (const { hour, kind, count } of counted) {
    const period = periods[Math.floor((hour.getTime() - first) / shown.size)];
    if (period) period.counts[kind] += count;
  }
  return periods;
}

function noCounts(): Period['counts'] {
  return Object.fromEntries(statisticsKinds.map((kind) => [kind, 0])) as Period['counts'];
}
