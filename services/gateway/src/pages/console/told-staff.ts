import type { PartnerChange, ToldMember } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import type { Times } from '../parts/time.ts';
import { notifyPill } from './states.ts';

const nameOf = ({ name, staff_id }: ToldMember) => name ?? `Member ${staff_id}`;

/** In a list, one line: “Ana Silva and 2 others were mailed 10:02”. The first who was reached; else that nobody was. */
export function toldNote(times: Times, { staff }: PartnerChange['told']): Markup | null {
  if (staff.length === 0) return null;
  const sent = staff
    .filter(({ status }) => status === 'sent')
    .toSorted((one, other) => (one.sent_at ?? '').localeCompare(other.sent_at ?? ''));
  const [first] = sent;
  if (!first)
    return staff.some(({ status }) => status === 'failed')
      ? html`<span class="fault">Nobody was mailed</span>`
      : null;
  const others = sent.length - 1;
  const who = others === 0 ? 'was' : `and ${others} ${others === 1 ? 'other' : 'others'} were`;
  return html`<span class="quiet">${nameOf(first)} ${who} mailed ${times.clock(first.sent_at)}</span>`;
}

/** On the page of a case: each member with the state and the time. */
export function toldMembers(times: Times, staff: readonly ToldMember[]): Markup[] {
  return staff.map(
    (member) =>
      html`<li><b>${nameOf(member)}</b>${notifyPill(member.status)}<span class="small quiet">${member.sent_at && times.exact(member.sent_at)}</span></li>\n`,
  );
}
