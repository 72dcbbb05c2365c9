/** `user_case_id`: FLOW and the id padded to at least 7 digits (interface.md §3). */
export function userCaseId(id: number): string {
  return `FLOW${String(id).padStart(7, '0')}`;
}

/** The id that a `case_ref` names, from 1 to 2^53−1. Null for another text: an id has two spellings only. */
export function idOfCaseRef(ref: string): number | null {
  const id = Number(ref.replace('FLOW', ''));
  if (!Number.isSafeInteger(id) || id < 1) return null;
  return ref === String(id) || ref === userCaseId(id) ? id : null;
}
