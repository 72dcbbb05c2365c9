import type { CaseReply, FirmMember, FirmReply, Language } from '@casewatch/contracts';
import { fetchPeople } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { AlertReason, AlertRow, Reader } from '../store/alerts.ts';
import type { FirmNews } from '../store/firm-news.ts';
import type { ShownPartner } from '../templates/brand.ts';
import { daysLeft, fetchCases, fetchFirm, isAway, reasonNotToTell, suppressedMembers } from './ask-firm.ts';
import { hearsAny, wantsNews } from './choose-members.ts';
import { type MemberItem, type More, maxMemberItems } from './member-mail.ts';

/** Cases and people of one round of questions. */
const itemsPerRound = 20;

/** Who reads the mail, as identity knows it now. `member` null: the firm's own address. */
export type FoundReader = {
  firm: NonNullable<FirmReply['firm']>;
  member: FirmMember | null;
  /** Of the firm's active members. */
  activeIds: readonly number[];
  email: string;
  language: Language;
  timeZone: string;
};

export type ComposedAlerts = {
  reader: FoundReader;
  partner: ShownPartner;
  items: MemberItem[];
  more: More | null;
  /** The reader has no wish to hear any of it, and is not told for one who is away: nobody else could be told. */
  isLastResort: boolean;
};

/** What a mail says, and what is left out of it because it holds no more. */
export type Composition = {
  /** Null: there is nothing to say. */
  mail: ComposedAlerts | null;
  leftOut: readonly { row: AlertRow; reason: AlertReason }[];
};

/** The reader as of now, or why no mail may go there. @throws Error if identity does not answer */
export async function findReader(
  ctx: Context,
  { partner_id, staff_id }: Reader,
): Promise<FoundReader | AlertReason> {
  const reply = await fetchFirm(ctx.bus, partner_id);
  const { firm } = reply;
  if (firm === null) return 'firm_gone';
  const suppressed = await suppressedMembers(ctx, reply);
  const zone = firm.time_zone ?? ctx.config.NOTIFY_TIME_ZONE;
  const activeIds = reply.members.map(({ id }) => id);
  if (staff_id === null) {
    if (firm.email === '' || suppressed.has(0)) return 'address_suppressed';
    return { firm, activeIds, member: null, email: firm.email, language: 'en', timeZone: zone };
  }
  const member = reply.members.find(({ id }) => id === staff_id);
  if (!member) return 'member_not_active';
  if (isAway(member, ctx.clock.now())) return 'member_away';
  if (suppressed.has(staff_id)) return 'address_suppressed';
  const { email, language } = member;
  return { firm, activeIds, member, email, language, timeZone: member.time_zone ?? zone };
}

/**
 * Writes a mail of what it is to tell, as things are now: who was erased, and what holds no more, is not in it. At most 50 are listed.
 * @throws Error if identity or cases does not answer
 */
export async function composeAlerts(
  ctx: Context,
  reader: FoundReader,
  rows: readonly AlertRow[],
): Promise<Composition> {
  const newsById = await ctx.stores.firmNews.findAll(rows.map(({ news_id }) => news_id));
  const leftOut: { row: AlertRow; reason: AlertReason }[] = [];
  const open: { row: AlertRow; news: FirmNews }[] = [];
  for (const row of rows) {
    const found = newsById.get(row.news_id);
    if (!found) leftOut.push({ row, reason: 'case_gone' });
    else if (isUnwanted(reader, row, found)) leftOut.push({ row, reason: 'not_wanted' });
    else open.push({ row, news: found });
  }
  const items: MemberItem[] = [];
  let read = 0;
  while (items.length < maxMemberItems && read < open.length) {
    const round = open.slice(read, read + Math.min(itemsPerRound, maxMemberItems - items.length));
    read += round.length;
    const facts = await readFacts(ctx, round);
    for (const one of round) {
      const item = itemOf(ctx, reader, { ...one, ...facts });
      if (typeof item === 'string') leftOut.push({ row: one.row, reason: item });
      else items.push(item);
    }
  }
  if (items.length === 0) return { mail: null, leftOut };
  const { firm, member } = reader;
  const count = open.length - read;
  return {
    mail: {
      reader,
      partner: firm,
      items,
      more: count === 0 ? null : { count, link: `${ctx.config.PUBLIC_URL}/console` },
      isLastResort: member === null || !open.some(({ row, news }) => isMeantFor(member, row, news)),
    },
    leftOut,
  };
}

/** The settings are asked for with each attempt. What is urgent comes all the same: it may reach nobody else. */
function isUnwanted({ member }: FoundReader, row: AlertRow, news: FirmNews): boolean {
  return member !== null && !news.urgent && !isMeantFor(member, row, news);
}

/** The member wants it, or is an owner who hears it instead of a member who is away. */
function isMeantFor(member: FirmMember, { instead }: AlertRow, news: FirmNews): boolean {
  return (instead === true && hearsAny(member)) || wantsNews(member, news);
}

type Facts = { cases: Map<number, CaseReply>; people: ReadonlyMap<number, { name: string }> };

async function readFacts(ctx: Context, round: readonly { news: FirmNews }[]): Promise<Facts> {
  const userIds = round.map(({ news }) => news.user_id);
  const [cases, people] = await Promise.all([
    fetchCases(
      ctx.bus,
      round.map(({ news }) => news.case_id),
    ),
    fetchPeople(ctx.bus, userIds, { fields: ['name'] }),
  ]);
  return { cases, people };
}

function itemOf(
  ctx: Context,
  { firm, timeZone }: FoundReader,
  { news, cases, people }: { news: FirmNews } & Facts,
): MemberItem | AlertReason {
  const found = cases.get(news.case_id);
  const person = people.get(news.user_id);
  const now = ctx.clock.now();
  const reason = person ? reasonNotToTell(news, found, { now, timeZone }) : 'case_gone';
  if (reason !== null || !found || !person) return reason ?? 'case_gone';
  const common = {
    client: firm.names_in_mails ? person.name : null,
    reference: found.reference ?? news.user_case_id,
    link: `${ctx.config.PUBLIC_URL}/console/cases/${encodeURIComponent(news.user_case_id)}`,
    observedAt: news.observed_at,
    urgent: news.urgent,
  };
  if (news.due !== null) {
    const days = daysLeft(news.due.date, now, timeZone);
    // The day holds, so it is the one of the case.
    const due = found.respond_by ?? { date: news.due.date, source: 'estimate' };
    return { ...common, kind: 'reminder', due, days };
  }
  if (news.monitoring !== null) return { ...common, kind: 'monitoring', state: news.monitoring };
  if (news.facts === null) return 'case_gone';
  const latestId = found.case.latest_update?.id ?? 0;
  const isLatest = String(latestId) === news._id;
  // Ids grow: cases may not know this change yet.
  const isAnswered = isLatest ? found.respond_done : latestId > Number(news._id);
  const day = isLatest && !isAnswered ? found.respond_by : null;
  const facts = day?.source === 'notice' ? { ...news.facts, notice: day.date } : news.facts;
  return { ...common, kind: 'change', facts, respondBy: day?.date ?? null, isAnswered };
}
