import type { Receipt, Watch } from './receipt.ts';

/** Of a receipt: how many cases watch it, and which one where that is known to be one alone. */
type Watchers = Pick<Receipt, 'watchers' | 'watched_by'>;

/** With one case more; `former`: its watch as it was. */
export function joinedBy(caseId: number, former: Watch | null, { watchers, watched_by }: Watchers): Watchers {
  if (former?.active) return { watchers, watched_by };
  return { watchers: watchers + 1, watched_by: watchers === 0 ? caseId : null };
}

/** Without a case, whose watch was `former`; who is left is looked up. */
export function leftBy(former: Watch | null, { watchers, watched_by }: Watchers): Watchers {
  if (!former?.active) return { watchers, watched_by };
  return { watchers: watchers - 1, watched_by: null };
}
