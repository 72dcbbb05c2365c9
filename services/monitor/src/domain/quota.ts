/** `interactive`: live checks; `background`: scheduled checks. Metrics call it `lane`. */
export type Priority = 'interactive' | 'background';

export type Quota = {
  daily: number;
  /** Share reserved for interactive checks, 0 to 1. */
  share: number;
  /** Maximum share of interactive checks, with borrowing, 0 to 1. */
  max: number;
};

export type QuotaUse = Record<Priority, { used: number; left: number }>;

/** Checks that background leaves to interactive ones: `kept` (0 to 1, the rest of the day) of what these have not used. */
export function reservedFor(quota: Quota, interactive: number, kept: number): number {
  const unused = Math.max(0, Math.ceil(quota.daily * quota.share) - interactive);
  return interactive + Math.ceil(unused * kept);
}

/** Each priority may borrow the unused quota of the other one (monitor.md). `kept`: part of the day that is left, 0 to 1. */
export function quotaUseOf(
  quota: Quota,
  { interactive, background }: Record<Priority, number>,
  kept: number,
): QuotaUse {
  const { daily, max } = quota;
  const most = Math.max(1, Math.floor(daily * max));
  const total = Math.max(0, daily - interactive - background);
  const free = daily - background - reservedFor(quota, interactive, kept);
  return {
    interactive: { used: interactive, left: Math.max(0, Math.min(most - interactive, total)) },
    background: { used: background, left: Math.max(0, free) },
  };
}
