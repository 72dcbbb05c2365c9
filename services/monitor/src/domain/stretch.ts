import type { ScheduleClass } from './schedule-class.ts';

export type Stretch = { readonly others: number; readonly hot: number };

export const unstretched: Stretch = { others: 1, hot: 1 };

/** Maximum for hot receipts while the other classes can be stretched further (monitor.md, Schedule). */
const maxHotFactor = 3;

export type Need = { hot: number; others: number };

/**
 * The least stretch by which the need fits into `perDay` checks. Up to 3, all classes share one factor. Then only the
 * others are stretched, up to `maxFactor`; then hot receipts follow, and from there all share one factor again. So
 * the stretch grows steadily with the need.
 */
export function stretchFor(need: Need, perDay: number, maxFactor: number): Stretch {
  const shared = (need.hot + need.others) / perDay;
  if (shared <= 1) return unstretched;
  if (shared <= maxHotFactor || shared >= maxFactor) return { others: shared, hot: shared };
  const leftToOthers = perDay - need.hot / maxHotFactor;
  if (need.others <= leftToOthers * maxFactor)
    return { others: Math.max(maxHotFactor, need.others / leftToOthers), hot: maxHotFactor };
  return { others: maxFactor, hot: need.hot / (perDay - need.others / maxFactor) };
}

export function stretchOf(name: ScheduleClass, { others, hot }: Stretch): number {
  return name === 'hot' ? hot : others;
}
