/** Who a request is for: somebody who waits, or the schedule. */
export type Priority = 'interactive' | 'background';

/** The requests of one day, and the interactive lane's parts of it (monitor.md, Budget). */
export type Quota = {
  daily: number;
  /** The interactive lane's own part of the day, 0 to 1. */
  share: number;
  /** How far it may go by borrowing, 0 to 1. */
  max: number;
};

/** What each lane used of a day's quota, and what it may still use. */
export type QuotaUse = Record<Priority, { used: number; left: number }>;

/** What of a day is left to the interactive lane, and what it may use at most, requests. */
export function interactiveLimits({ daily, share, max: most }: Quota): { share: number; most: number } {
  return { share: Math.ceil(daily * share), most: Math.max(1, Math.floor(daily * most)) };
}

/** What each lane may still use: what one does not use, the other may borrow (monitor.md). */
export function quotaUseOf(quota: Quota, { interactive, background }: Record<Priority, number>): QuotaUse {
  const { daily } = quota;
  const { share, most } = interactiveLimits(quota);
  const whole = Math.max(0, daily - interactive - background);
  return {
    interactive: { used: interactive, left: Math.max(0, Math.min(most - interactive, whole)) },
    background: { used: background, left: Math.max(0, daily - background - Math.max(share, interactive)) },
  };
}
