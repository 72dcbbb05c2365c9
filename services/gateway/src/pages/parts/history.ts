import type { HistoryEntry, StatusUpdate } from '@casewatch/contracts';

type Update = Pick<StatusUpdate, 'changes' | 'history'>;

/**
 * The entries that came with this update: those of none before it. `older`: the updates before it, as far as they are shown;
 * without any, nothing is known.
 */
export function entriesNewIn({ changes, history }: Update, older: readonly Update[]): HistoryEntry[] {
  if (!changes.includes('history') || older.length === 0) return [];
  const known = new Set(older.flatMap((update) => update.history.map(keyOf)));
  return history.filter((entry) => !known.has(keyOf(entry)));
}

function keyOf({ date, status_code }: HistoryEntry): string {
  return `${date} ${status_code}`;
}

/** The day at the beginning as a time; null for another notation. */
export function timeOfEntry({ date }: HistoryEntry): string | null {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(date ?? '')?.[0];
  return day === undefined || Number.isNaN(Date.parse(day)) ? null : `${day}T00:00:00.000Z`;
}

type Kept = Pick<
  StatusUpdate,
  'kind' | 'changes' | 'email_notify_status' | 'whatsapp_notify_status' | 'notified'
>;

/**
 * An update that changed nothing which people read: a translation, or details of which nothing is known and nobody was told.
 */
export function isNoChange({ kind, changes, notified, ...update }: Kept): boolean {
  const isSkipped = update.email_notify_status === 'skipped' && update.whatsapp_notify_status === 'skipped';
  return (
    kind === 'translation' || (kind === 'details' && changes.length === 0 && isSkipped && notified === 0)
  );
}
