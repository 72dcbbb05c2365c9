import { type ReplayTask, toIso } from '@casewatch/contracts';
import type { TaskRow } from '../store/tasks.ts';

export function presentTask(row: TaskRow): ReplayTask {
  const { position, status } = row;
  const processed = position === null ? null : new Date(position[1]);
  return {
    id: row._id,
    webhook_id: row.webhook_id,
    status,
    selection: row.selection,
    events: row.events,
    since: toIso(row.since),
    until: toIso(row.until),
    progress: status === 'completed' && !row.limit_reached ? 1 : shareOf(row, processed),
    processed_until: toIso(processed),
    queued: row.queued,
    limit_reached: row.limit_reached,
    created_at: toIso(row.created_at),
    finished_at: toIso(row.finished_at),
  };
}

function shareOf({ since, until }: TaskRow, processed: Date | null): number {
  if (processed === null) return 0;
  const share = (processed.getTime() - since.getTime()) / (until.getTime() - since.getTime());
  return Math.round(Math.min(Math.max(share, 0), 1) * 1_000) / 1_000;
}
