import type { PartnerReply, UserReply } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import type { Recipient } from '../domain/skip-reason.ts';

export type People = { users: Map<number, UserReply>; partners: Map<number, PartnerReply> };

const usersPerRequest = 100;
const casesPerRequest = 1_000;

export async function fetchPeople(bus: Bus, userIds: readonly number[]): Promise<People> {
  const replies = await Promise.all(
    inParts([...new Set(userIds)], usersPerRequest).map((user_ids) =>
      bus.request('identity.recipients', { user_ids }),
    ),
  );
  const users = replies.flatMap((reply) => reply.users.map((user) => [user.id, user] as const));
  const partners = replies.flatMap((reply) => reply.partners.map((row) => [row.id, row] as const));
  return { users: new Map(users), partners: new Map(partners) };
}

export async function fetchActiveCases(bus: Bus, caseIds: readonly number[]): Promise<Set<number>> {
  const replies = await Promise.all(
    inParts([...new Set(caseIds)], casesPerRequest).map((case_ids) =>
      bus.request('cases.active', { case_ids }),
    ),
  );
  return new Set(replies.flatMap(({ case_ids }) => case_ids));
}

export function recipientOf({ users, partners }: People, userId: number): Omit<Recipient, 'caseActive'> {
  const user = users.get(userId) ?? null;
  return { user, partner: partners.get(user?.partner_id ?? 0) ?? null };
}

function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}
