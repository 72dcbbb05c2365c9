/** `user_case_id`: FLOW and the id padded to at least 7 digits (interface.md §3). */
export function userCaseId(id: number): string {
  return `FLOW${String(id).padStart(7, '0')}`;
}

/**
 * The id that a `case_ref` names, or null where no case can have it: a reference has one spelling only, and ids go
 * from 1 to 2^53−1.
 */
export function idOfCaseRef(ref: string): number | null {
  const id = Number(ref.replace('FLOW', ''));
  if (!Number.isSafeInteger(id) || id < 1) return null;
  return ref === String(id) || ref === userCaseId(id) ? id : null;
}
