import { maxAssignees, type ToldMember } from '@casewatch/contracts';
import type { StatusUpdateRow } from '../store/status-updates.ts';
import type { TimeFormat } from './case.ts';

type Alerts = Pick<StatusUpdateRow, 'alerts'>;

/** Ids of the members of whose mails the rows know. */
export function alertedStaffIds(rows: readonly Alerts[]): number[] {
  return [...new Set(rows.flatMap(({ alerts = {} }) => Object.keys(alerts).map(Number)))];
}

/** The members to whom a change was mailed, or is about to be, in the order of their ids. A name is null where identity has none. */
export function toldStaff(
  { alerts = {} }: Alerts,
  names: ReadonlyMap<number, string>,
  time: TimeFormat,
): ToldMember[] {
  return Object.entries(alerts)
    .map(([id, { status, sent_at }]) => ({
      staff_id: Number(id),
      name: names.get(Number(id)) ?? null,
      status,
      sent_at: time(sent_at),
    }))
    .toSorted((one, other) => one.staff_id - other.staff_id)
    .slice(0, maxAssignees);
}
