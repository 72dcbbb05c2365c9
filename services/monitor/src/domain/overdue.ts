import type { Receipt } from './receipt.ts';

/** What is judged by: `new_since` stands in where it was never checked since it is watched. */
type Checked = Pick<Receipt, 'schedule_class' | 'last_checked' | 'new_since' | 'overdue_since'>;

/** Whether a watched receipt becomes overdue: not checked since `before` (schedule.ts, overdueBefore). */
export function isOverdue(receipt: Checked, before: Date): boolean {
  if (receipt.schedule_class === null || receipt.overdue_since !== null) return false;
  const since = Math.max(receipt.last_checked?.getTime() ?? 0, receipt.new_since?.getTime() ?? 0);
  return since < before.getTime();
}
