import type { ScheduleClass } from './schedule-class.ts';

/** By what intervals are multiplied: one factor, but for hot receipts, which are spared as long as others can give. */
export type Stretch = { readonly others: number; readonly hot: number };

export const unstretched: Stretch = { others: 1, hot: 1 };

/** Hot ones wait at most so many times longer while others can give (monitor.md, Schedule). */
const mostForHot = 3;

/** Checks per day that hot receipts and all others need, unstretched. */
export type Need = { hot: number; others: number };

/**
 * The least stretch by which the need fits into `perDay` checks. Up to 3 all classes give alike; beyond, the others
 * alone do, up to `mostForOthers`; then hot ones catch up with them, and from there all give alike again. So it grows
 * steadily with the need, and every class goes on being checked.
 */
export function stretchFor(need: Need, perDay: number, mostForOthers: number): Stretch {
  const alike = (need.hot + need.others) / perDay;
  if (alike <= 1) return unstretched;
  if (alike <= mostForHot || alike >= mostForOthers) return { others: alike, hot: alike };
  const leftToOthers = perDay - need.hot / mostForHot;
  if (need.others <= leftToOthers * mostForOthers)
    return { others: Math.max(mostForHot, need.others / leftToOthers), hot: mostForHot };
  return { others: mostForOthers, hot: need.hot / (perDay - need.others / mostForOthers) };
}

/** The factor for one class. */
export function stretchOf(name: ScheduleClass, { others, hot }: Stretch): number {
  return name === 'hot' ? hot : others;
}
