/** What a caller may change of a case. */
export type CaseChange = { active?: boolean; description?: string };

type Wanted = { active?: boolean | undefined; description?: string | undefined };

/** Of what was sent, what differs from what is there. */
export function changesOf(row: { active: boolean; description: string }, wanted: Wanted): CaseChange {
  const change: CaseChange = {};
  if (wanted.active !== undefined && wanted.active !== row.active) change.active = wanted.active;
  if (wanted.description !== undefined && wanted.description !== row.description)
    change.description = wanted.description;
  return change;
}
