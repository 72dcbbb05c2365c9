import type { Success } from '@casewatch/contracts';
import { type ConsoleCall, ifAvailable } from './console-page.ts';

type Member = Success<'list_assignees'>['assignees'][number];

export type Assignees = {
  readonly members: readonly Member[];
  /** Null: not a member any more, or identity is away. */
  nameOf(id: number): string | null;
};

/** The members to whom cases can be given. None while identity is away. */
export async function readAssignees({ ask }: ConsoleCall): Promise<Assignees> {
  const answer = await ifAvailable(ask('list_assignees'));
  const members = answer?.assignees ?? [];
  const names = new Map(members.map(({ id, name }) => [id, name]));
  return { members, nameOf: (id) => names.get(id) ?? null };
}

/** Oneself first, and nobody. */
export function assigneeChoices({ session }: ConsoleCall, { members }: Assignees) {
  const own = session.principal.staff_id;
  return [
    ...members
      .filter(({ id }) => id === own)
      .map(({ id, name }) => ({ value: String(id), text: `Me (${name})` })),
    { value: 'none', text: 'Nobody' },
    ...members.filter(({ id }) => id !== own).map(({ id, name }) => ({ value: String(id), text: name })),
  ];
}
