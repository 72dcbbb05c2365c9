import { type MorningReply, matchStatus } from '@casewatch/contracts';
import { fetchPeople } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { dayAfter, daysBetween } from '../domain/local-time.ts';
import { maskedReceipt, maskReceipts } from '../domain/mask-receipt.ts';
import type { NotificationFacts } from '../domain/notification-facts.ts';
import type { MemberDigestMail } from '../domain/queued-mail.ts';
import { unreachableOf } from '../http/list-suppressions.ts';
import type { AlertReason } from '../store/alerts.ts';
import { countOpen, type MemberDigest } from '../templates/member-digest.ts';
import { type FoundReader, findReader } from './compose-alerts.ts';
import { type MemberItem, maxMemberItems } from './member-mail.ts';

/** Days for answers of so many days are in a digest. */
const daysAhead = 14;
const maxDates = 20;
const maxClients = 5;
/** People of one question to cases. */
const maxPeople = 200;

export type ComposedDigest = {
  reader: FoundReader;
  /** Null: nothing is open, and an empty mail is none. */
  content: Omit<MemberDigest, 'settingsLink' | 'offLink'> | null;
};

/**
 * What is open for the member now, or why no digest goes there. What the member got immediately stands in it, too, while nobody has
 * reviewed it. @throws Error if identity or cases does not answer
 */
export async function composeDigest(
  ctx: Context,
  request: MemberDigestMail,
): Promise<ComposedDigest | AlertReason> {
  const reader = await findReader(ctx, request);
  if (typeof reader === 'string') return reader;
  const { member, firm } = reader;
  if (member === null || member.alerts.digest === 'off') return 'not_wanted';
  const { partner_id, staff_id, day } = request;
  const [suppressed, endpoints] = await Promise.all([
    unreachableOf(ctx, partner_id),
    member.role === 'owner' ? failingEndpoints(ctx, partner_id) : [],
  ]);
  const candidates = [...new Map(suppressed.map(({ user }) => [user.id, user])).values()].slice(0, maxPeople);
  const morning = await ctx.bus.request('cases.morning', {
    ...{ partner_id, staff_id, scope: member.alerts.scope },
    ...{ from: day, until: dayAfter(day, daysAhead), limit: maxMemberItems },
    user_ids: candidates.map(({ id }) => id),
    active_ids: [...reader.activeIds],
  });
  const userIds = [...morning.changes, ...morning.due].map(({ user_id }) => user_id);
  const people = await fetchPeople(ctx.bus, [...new Set(userIds)], { fields: ['name'] });
  const visible = new Set(morning.user_ids);
  const unreachable = candidates.filter(({ id }) => visible.has(id));
  const page = (path: string) => `${ctx.config.PUBLIC_URL}/console${path}`;
  const shown = { ctx, people, hasNames: firm.names_in_mails, page };
  const open = {
    unreviewed: {
      items: morning.changes.flatMap((change) => itemOf(change, shown) ?? []),
      total: morning.total,
      link: page(''),
    },
    dates: {
      items: morning.due.slice(0, maxDates).flatMap((row) => {
        const named = nameOf(row, shown);
        const left = daysBetween(day, row.respond_by.date);
        return named ? [{ ...named, respondBy: row.respond_by, left }] : [];
      }),
      total: morning.due_total,
      link: page('/cases?sort=respond_by'),
    },
    unreachable: {
      items: unreachable.slice(0, maxClients).map(({ id, name }) => ({
        id,
        name: firm.names_in_mails ? name : null,
        link: page(`/users/${id}`),
      })),
      total: unreachable.length,
      link: page('/overview'),
    },
    endpoints,
  };
  if (countOpen(open) === 0) return { reader, content: null };
  return { reader, content: { language: reader.language, partner: firm, day, ...open } };
}

type Shown = {
  people: ReadonlyMap<number, { name: string }>;
  hasNames: boolean;
  page(path: string): string;
};

type OpenCase = Pick<MorningReply['due'][number], 'user_id' | 'user_case_id' | 'reference'>;

/** Null: the person is gone, and the case is about to be. */
function nameOf({ user_id, user_case_id, reference }: OpenCase, { people, hasNames, page }: Shown) {
  const person = people.get(user_id);
  if (!person) return null;
  return {
    client: hasNames ? person.name : null,
    reference: reference ?? user_case_id,
    link: page(`/cases/${encodeURIComponent(user_case_id)}`),
  };
}

function itemOf(change: MorningReply['changes'][number], shown: Shown): MemberItem | null {
  const named = nameOf(change, shown);
  if (named === null) return null;
  const { urgent, respond_by: day, is_answered: isAnswered, status, monitoring: state } = change;
  const common = { ...named, urgent, observedAt: new Date(change.observed_at) };
  if (status === null) return state === null ? null : { ...common, kind: 'monitoring', state };
  const facts = factsOf(change, status);
  const noticed = day?.source === 'notice' ? { ...facts, notice: day.date } : facts;
  return { ...common, kind: 'change', facts: noticed, respondBy: day?.date ?? null, isAnswered };
}

type Status = NonNullable<MorningReply['changes'][number]['status']>;

/** What a line of a digest says of a status: it has no room for the text of USCIS. */
function factsOf(
  { user_case_id, receipt_number }: MorningReply['changes'][number],
  status: Status,
): NotificationFacts {
  const { kind, status_code, status_code_es, status_code_pt, spanish_source } = status;
  const text = spanish_source === 'uscis' ? { en: '', es: '', pt: null } : { en: '', es: null, pt: null };
  return {
    kind,
    user_case_id,
    receipt_masked: maskedReceipt(receipt_number),
    title: {
      en: maskReceipts(status_code),
      es: status_code_es && maskReceipts(status_code_es),
      pt: status_code_pt && maskReceipts(status_code_pt),
    },
    text,
    previous_title: status.previous_status_code === null ? null : titleOf(status.previous_status_code),
    ...(spanish_source && { spanish_source }),
  };
}

function titleOf(title: string): NotificationFacts['title'] {
  const known = matchStatus(title).knownStatus;
  return { en: maskReceipts(title), es: known?.es ?? null, pt: known?.pt ?? null };
}

/** Without an answer of webhooks the digest goes without them: a failing endpoint has mails of its own. */
async function failingEndpoints({ bus, config, log }: Context, partnerId: number) {
  try {
    const { endpoints } = await bus.request('webhooks.failing', { partner_id: partnerId });
    return endpoints.map(({ id, host, disabled, at }) => ({
      host,
      at: new Date(at),
      isDisabled: disabled,
      link: `${config.PUBLIC_URL}/console/webhooks/${id}`,
    }));
  } catch (error) {
    log.info({ partner_id: partnerId, err: error }, 'webhooks unavailable; a digest goes without endpoints');
    return [];
  }
}
