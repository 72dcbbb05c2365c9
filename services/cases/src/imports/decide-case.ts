import { ApiError } from '@casewatch/platform';
import type { ImportedRow } from './check-row.ts';

/** A case as far as an import may change it. */
export type CaseTexts = { description: string; reference: string | null; assignee_id: number | null };

/** The member that a row names. */
export type RowMember = { id: number; isDisabled: boolean };

/** `existing`: the case that the row is about. */
export type CaseDecision<C extends CaseTexts> =
  | { outcome: 'created'; existing: null; texts: CaseTexts; changes: null }
  | { outcome: 'updated' | 'unchanged'; existing: C; texts: CaseTexts; changes: Partial<CaseTexts> };

/** The cases of the person and receipt: the one that may change first. `isFirst`: no row of the file before it had this receipt. */
type Standing<C extends CaseTexts> = { cases: readonly C[]; isFirst: boolean };

/**
 * What a row does to the cases of its person and receipt. A blank cell changes nothing, and nothing changes where one of the cases
 * has the texts already: an export has old cases too. Of several rows the first alone changes texts, so that the same file again
 * is unchanged. Pure: the import and its dry run decide by it.
 * @throws ApiError staff_not_found: the case would get a member without access
 */
export function decideCase<C extends CaseTexts>(
  { cases, isFirst }: Standing<C>,
  row: Pick<ImportedRow, 'description' | 'reference'>,
  member: RowMember | null,
): CaseDecision<C> {
  const wanted: Partial<CaseTexts> = {
    ...(row.description !== null && { description: row.description }),
    ...(row.reference !== null && { reference: row.reference }),
    ...(member !== null && { assignee_id: member.id }),
  };
  const same = cases.find((one) => Object.keys(changesOf(one, wanted)).length === 0);
  if (same) return { outcome: 'unchanged', existing: same, texts: textsOf(same), changes: {} };
  const [existing = null] = cases;
  const before = existing ? textsOf(existing) : { description: '', reference: null, assignee_id: null };
  const changes = changesOf(before, wanted);
  if (changes.assignee_id !== undefined && member?.isDisabled)
    throw new ApiError('staff_not_found', { message: 'assignee_email names a member without access.' });
  const texts = { ...before, ...changes };
  if (existing === null) return { outcome: 'created', existing, texts, changes: null };
  if (!isFirst) return { outcome: 'unchanged', existing, texts: before, changes: {} };
  return { outcome: 'updated', existing, texts, changes };
}

function changesOf(before: CaseTexts, wanted: Partial<CaseTexts>): Partial<CaseTexts> {
  const entries = Object.entries(wanted).filter(([name, value]) => value !== before[name as keyof CaseTexts]);
  return Object.fromEntries(entries);
}

function textsOf({ description, reference, assignee_id }: CaseTexts): CaseTexts {
  return { description, reference, assignee_id };
}
