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

export function interactiveLimits({ daily, share, max: most }: Quota): { share: number; most: number } {
  return { share: Math.ceil(daily * share), most: Math.max(1, Math.floor(daily * most)) };
}

/** Each priority may borrow the unused quota of the other one (monitor.md). */
export function quotaUseOf(quota: Quota, { interactive, background }: Record<Priority, number>): QuotaUse {
  const { daily } = quota;
  const { share, most } = interactiveLimits(quota);
  const total = Math.max(0, daily - interactive - background);
  return {
    interactive: { used: interactive, left: Math.max(0, Math.min(most - interactive, total)) },
    background: { used: background, left: Math.max(0, daily - background - Math.max(share, interactive)) },
  };
}
