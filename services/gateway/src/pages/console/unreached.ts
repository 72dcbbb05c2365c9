import { html, type Markup } from '@casewatch/platform';
import { notice } from '../parts/blocks.ts';
import { type ConsoleCall, can, ifAvailable } from './console-page.ts';

/** In red, for owners and editors: urgent changes of which nobody at the firm heard (firm.md §5). Null: there are none, or notifier is away. */
export async function unreachedNotice(call: ConsoleCall): Promise<Markup | null> {
  if (!can(call, 'cases:write')) return null;
  const { partner_id } = call.session.principal;
  const unreached = await ifAvailable(call.request('notifier.unreached', { partner_id }));
  if (!unreached || unreached.count === 0) return null;
  const { count, latest_at, case_refs } = unreached;
  const what = count === 1 ? 'An urgent change' : `${count} urgent changes`;
  const cases = case_refs.map((ref) => html` <a href="/console/cases/${ref}">${ref}</a>`);
  const where = can(call, 'staff')
    ? html` Look at <a href="/console/staff">the addresses of your staff</a>.`
    : null;
  return notice(
    'bad',
    html`<b>${what} reached nobody of your staff by e-mail</b>, last ${call.times.exact(latest_at)}:${cases}${count > case_refs.length && html` …`}.${where}`,
  );
}
