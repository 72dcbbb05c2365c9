import type { NamedReviewer, Reviewer } from '@casewatch/contracts';

/** The members among those who did something. */
export function staffIdsOf(reviewers: readonly (Reviewer | null | undefined)[]): number[] {
  return [...new Set(reviewers.flatMap((by) => (by?.kind === 'staff' ? by.id : [])))];
}

/** @param names of members, also of those who were removed: a firm must be able to show who attested (firm.md §1) */
export function presentReviewer(by: Reviewer, names: ReadonlyMap<number, string>): NamedReviewer {
  return { ...by, name: by.kind === 'staff' ? (names.get(by.id) ?? null) : null };
}
