import { type Bus, fetchPeople } from '@casewatch/platform';
import { type RecipientUser, recipientFields } from '../domain/skip-reason.ts';

export type People = Map<number, RecipientUser>;

const casesPerRequest = 1_000;

export async function fetchRecipients(bus: Bus, userIds: readonly number[]): Promise<People> {
  return await fetchPeople(bus, userIds, { fields: recipientFields });
}

export async function fetchActiveCases(bus: Bus, caseIds: readonly number[]): Promise<Set<number>> {
  const replies = await Promise.all(
    inParts([...new Set(caseIds)], casesPerRequest).map((case_ids) =>
      bus.request('cases.active', { case_ids }),
    ),
  );
  return new Set(replies.flatMap(({ case_ids }) => case_ids));
}

function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}
