import { type Bus, fetchPeople } from '@casewatch/platform';
import { type RecipientUser, recipientFields } from '../domain/skip-reason.ts';

export type People = Map<number, RecipientUser>;

const casesPerRequest = 1_000;

export async function fetchRecipients(bus: Bus, userIds: readonly number[]): Promise<People> {
  return await fetchPeople(bus, userIds, { fields: recipientFields });
}

/** `notices`: the day that the firm read in the notice, by the id of the status update. */
export type ActiveCases = { ids: Set<number>; notices: Map<number, string> };

export async function fetchActiveCases(bus: Bus, caseIds: readonly number[]): Promise<ActiveCases> {
  const replies = await Promise.all(
    inParts([...new Set(caseIds)], casesPerRequest).map((case_ids) =>
      bus.request('cases.active', { case_ids }),
    ),
  );
  const notices = replies.flatMap((reply) => reply.notices);
  return {
    ids: new Set(replies.flatMap(({ case_ids }) => case_ids)),
    notices: new Map(notices.map(({ status_update_id, date }) => [status_update_id, date])),
  };
}

function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}
