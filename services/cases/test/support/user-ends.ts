import type { Connection } from '@casewatch/platform/database';

/** The ways in which a user stops having cases watched (interface.md §3, status; §4, delete user). */
export const endings = ['inactive', 'suspended', 'deleted'] as const;

export type Ending = (typeof endings)[number];

/** The status and code of a creation that came too late. */
export function refusalAfter(ending: Ending): [status: number, code: string] {
  return ending === 'deleted' ? [404, 'user_not_found'] : [403, 'user_not_active'];
}

export type CaseEvent = { type: string; data: Record<string, unknown> };

/** How many of a user's cases the monitor watches when it has heard all this: the highest version of each case decides. */
export function watchesAfter(events: readonly CaseEvent[], userId: number): number {
  const newest = new Map<number, { version: number; watched: boolean }>();
  for (const { type, data } of eventsOf(events, userId)) {
    const { id } = data.case as { id: number };
    const version = Number(data.version);
    if ((newest.get(id)?.version ?? 0) >= version) continue;
    newest.set(id, { version, watched: type !== 'case.deleted' && data.watched === true });
  }
  return [...newest.values()].filter(({ watched }) => watched).length;
}

export function eventsOf(events: readonly CaseEvent[], userId: number): CaseEvent[] {
  return events.filter(
    ({ type, data }) => type.startsWith('case.') && (data.case as { user_id: number }).user_id === userId,
  );
}

/** What is stored of a user: a case that is not watched may stay while they may come back, a deleted one's not. */
export async function storedOf(db: Connection, userId: number) {
  const count = (name: string, filter: object) => db.collection(name).countDocuments(filter);
  const everyCase = await db.collection('cases').distinct('_id');
  const state = await db
    .collection<{ _id: number; active_cases: number }>('user_states')
    .findOne({ _id: userId });
  const active = await count('cases', { user_id: userId, active: true });
  return {
    cases: await count('cases', { user_id: userId }),
    watched: await count('cases', { user_id: userId, watched: true }),
    orphans:
      (await count('status_updates', { case_id: { $nin: everyCase } })) +
      (await count('acknowledgements', { user_id: userId, case_id: { $nin: everyCase } })),
    miscounted: (state?.active_cases ?? 0) - active,
  };
}

/** What must be left of a user whose creation answered 201 (`made`), or was refused. */
export function leftAfter(ending: Ending, made: boolean) {
  return { cases: made && ending !== 'deleted' ? 1 : 0, watched: 0, orphans: 0, miscounted: 0 };
}
