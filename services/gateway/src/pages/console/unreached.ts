import { maxUnreachedCases } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { notice } from '../parts/blocks.ts';
import { type ConsoleCall, can, ifAvailable } from './console-page.ts';

/** Most that one question for changes returns. */
const listed = 100;

/**
 * In red, for owners and editors: urgent changes of which nobody at the firm heard, and at which nobody has looked since (firm.md §5).
 * Null: there are none, or a service is away.
 */
export async function unreachedNotice(call: ConsoleCall): Promise<Markup | null> {
  if (!can(call, 'cases:write')) return null;
  const { partner_id } = call.session.principal;
  const unreached = await ifAvailable(call.request('notifier.unreached', { partner_id }));
  if (!unreached || unreached.count === 0) return null;
  const query = { urgent: 'true', reviewed: 'false', limit: String(listed) };
  const open = await ifAvailable(call.ask('list_changes', { query }));
  if (!open) return null;
  const { latest_at, case_refs } = unreached;
  const changes = open.changes.filter(({ case: of }) => case_refs.includes(of.user_case_id));
  // Of more than the answers have, it is not known whether somebody has looked at them.
  const isMore = open.has_more || case_refs.length === maxUnreachedCases;
  if (changes.length === 0 && !isMore) return null;
  const count = isMore ? unreached.count : Math.min(unreached.count, changes.length);
  const what = count === 1 ? 'An urgent change' : `${count} urgent changes`;
  const names = new Map(changes.map(({ case: of, user }) => [of.user_case_id, user?.name]));
  const refs = open.has_more ? case_refs : case_refs.filter((ref) => names.has(ref));
  const cases = refs.map((ref) => html` <a href="/console/cases/${ref}">${names.get(ref) ?? ref}</a>`);
  const where = can(call, 'staff')
    ? html` Look at <a href="/console/staff">the addresses and the absences of your staff</a>.`
    : null;
  return notice(
    'bad',
    html`<b>${what} reached nobody of your staff by e-mail</b>, last ${call.times.exact(latest_at)}:${cases}${count > refs.length && html` …`}.${where}`,
  );
}
