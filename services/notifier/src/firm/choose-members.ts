import type { FirmMember } from '@casewatch/contracts';
import { quietEnd } from '../domain/local-time.ts';
import { breaksQuiet } from '../store/alerts.ts';
import type { FirmNews } from '../store/firm-news.ts';
import { isAway } from './ask-firm.ts';

/** What the choice depends on of the news. */
export type NewsFacts = Pick<FirmNews, 'kind' | 'urgent'> & { readonly category?: string | null };

type Firm = {
  /** Active members. */
  members: readonly FirmMember[];
  assigneeId: number | null;
  /** The time of the database. */
  now: Date;
  /** Of members without one. */
  timeZone: string;
  /** Members whose address takes no mail, or whose mail about this failed. */
  unreachable: ReadonlySet<number>;
  /** Somebody was told already, or is about to be: only who wants to hear it is added. */
  isReached: boolean;
};

/** `dueAt` null: immediately. `instead`: an owner who would not hear of this case or category is told for a member who is away. */
export type ChosenMember = { readonly id: number; readonly dueAt: Date | null; readonly instead?: true };

/** `reachesNobody`: an urgent thing of which no member can be told. */
export type Choice = {
  readonly members: readonly ChosenMember[];
  readonly reachesNobody: boolean;
};

/**
 * Who at a firm is told of news, and when (firm.md §5): those who want it and whose scope covers the case. While one of them is away,
 * the owners are, except those who turned their alerts off. What is urgent reaches at least one: the assignee, else members with scope
 * all, else the owners. Who turned alerts off is of these only where nobody else is.
 */
export function chooseMembers(news: NewsFacts, firm: Firm): Choice {
  const { members, assigneeId, now, unreachable, isReached } = firm;
  const present = members.filter((member) => !isAway(member, now) && !unreachable.has(member.id));
  const owners = present.filter(({ role }) => role === 'owner');
  const wanted = (member: FirmMember) => wantsNews(member, news) && coversCase(member, firm);
  const wanting = present.filter(wanted);
  const isOneAway = members.some((member) => isAway(member, now) && wanted(member));
  const instead = isOneAway ? owners.filter((owner) => hearsAny(owner) && !wanting.includes(owner)) : [];
  const chosen = [...wanting, ...instead];
  const isShort = news.urgent && !isReached && chosen.length === 0;
  const last = isShort ? lastResort(present, assigneeId) : [];
  const told = [...chosen, ...last];
  return {
    members: told.map((member) => ({
      id: member.id,
      dueAt: breaksQuiet(news) ? null : quietUntil(member, firm),
      ...(instead.includes(member) && { instead: true }),
    })),
    reachesNobody: isShort && last.length === 0,
  };
}

/** Whether the member hears of such news immediately. A reminder has no category: it comes unless the member hears nothing. */
export function wantsNews(member: Pick<FirmMember, 'alerts'>, news: NewsFacts): boolean {
  if (news.kind === 'reminder') return hearsAny(member);
  const { immediate } = member.alerts;
  const wanted: readonly string[] = immediate;
  return (news.urgent && wanted.includes('urgent')) || wanted.includes(news.category ?? 'none');
}

/** False for a member who turned the immediate mails off. */
export function hearsAny({ alerts }: Pick<FirmMember, 'alerts'>): boolean {
  return alerts.immediate.length > 0;
}

/** A case whose assignee is not at the firm any more, or not active, is one on which nobody works. */
function coversCase({ id, alerts: { scope } }: FirmMember, { assigneeId, members }: Firm): boolean {
  const hasAssignee = members.some((member) => member.id === assigneeId);
  return scope === 'all' || id === assigneeId || !hasAssignee;
}

function lastResort(present: readonly FirmMember[], assigneeId: number | null): readonly FirmMember[] {
  const inLine = (some: readonly FirmMember[]) => [
    some.filter(({ id }) => id === assigneeId),
    some.filter(({ alerts }) => alerts.scope === 'all'),
    some.filter(({ role }) => role === 'owner'),
  ];
  const lines = [...inLine(present.filter(hearsAny)), ...inLine(present)];
  return lines.find((some) => some.length > 0) ?? [];
}

function quietUntil({ alerts, time_zone }: FirmMember, { now, timeZone }: Firm): Date | null {
  return quietEnd(alerts.quiet_hours, now, time_zone ?? timeZone);
}
