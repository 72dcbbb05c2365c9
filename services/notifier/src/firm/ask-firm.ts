import { type CaseReply, type FirmMember, type FirmReply, localTime } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { daysBetween } from '../domain/local-time.ts';
import type { AlertReason } from '../store/alerts.ts';
import type { FirmNews } from '../store/firm-news.ts';

const casesPerRequest = 20;

/** Days before the day for an answer on which members are reminded (firm.md §4). */
export const reminderDays = [30, 14, 7, 2] as const;

/** The firm and its active members. @throws Error if identity does not answer */
export async function fetchFirm(bus: Bus, partnerId: number): Promise<FirmReply> {
  return await bus.request('identity.firm', { partner_id: partnerId });
}

/** The cases that exist, by id. @throws Error if cases does not answer */
export async function fetchCases(bus: Bus, caseIds: readonly number[]): Promise<Map<number, CaseReply>> {
  const ids = [...new Set(caseIds)];
  const parts = Array.from({ length: Math.ceil(ids.length / casesPerRequest) }, (_, i) =>
    ids.slice(i * casesPerRequest, (i + 1) * casesPerRequest),
  );
  const replies = await Promise.all(parts.map((part) => bus.request('cases.cases', { ids: part })));
  return new Map(replies.flatMap(({ cases }) => cases).map((reply) => [reply.case.id, reply]));
}

export function isAway({ away_until }: FirmMember, now: Date): boolean {
  return away_until !== null && new Date(away_until) > now;
}

/** Members of the firm whose address takes no mail, and 0 for its own address. */
export async function suppressedMembers(
  { stores, addressHashes }: Pick<Context, 'stores' | 'addressHashes'>,
  { firm, members }: FirmReply,
): Promise<Set<number>> {
  const addresses = [...members, { id: 0, email: firm?.email ?? '' }];
  const hashes = addresses.map(({ id, email }) => ({ id, hashes: addressHashes.all('email', email) }));
  const found = await stores.addressSuppressions.findAll(hashes.flatMap((row) => row.hashes));
  return new Set(hashes.filter((row) => row.hashes.some((hash) => found.has(hash))).map(({ id }) => id));
}

/** Why there is nothing to tell of the news any more; null: there is. `timeZone`: of who reads it. */
export function reasonNotToTell(
  news: FirmNews,
  found: CaseReply | undefined,
  { now, timeZone }: { now: Date; timeZone: string },
): AlertReason | null {
  if (!found || found.partner_id !== news.partner_id) return 'case_gone';
  // USCIS waits for an answer, whether the case is monitored or not.
  if (news.due === null) return found.case.active ? null : 'case_gone';
  const isOpen = found.respond_by?.date === news.due.date && !found.respond_done;
  return isOpen && isReminderOf(news.due, daysLeft(news.due.date, now, timeZone)) ? null : 'date_passed';
}

/** A reminder that comes too late, after an outage, leaves it to the next one. */
function isReminderOf({ days }: { readonly days: number }, left: number): boolean {
  return left >= 0 && !reminderDays.some((later) => later < days && left <= later);
}

export function daysLeft(day: string, now: Date, timeZone: string): number {
  return daysBetween(localTime(now, timeZone).day, day);
}
