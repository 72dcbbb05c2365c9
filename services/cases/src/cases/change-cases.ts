import type { Body, BulkAction, BulkResult, Fault, PartnerPrincipal } from '@casewatch/contracts';
import { ApiError, acted, faultsError, type Handler, timeLeftMs } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { reviewerOf } from '../changes/index.ts';
import { checkFor, seenIn } from '../checks/index.ts';
import type { Context } from '../context.ts';
import { idOfCaseRef } from '../rules/case.ts';
import type { CaseRow } from '../store/cases.ts';
import { transactionInTurn } from './active-cases.ts';
import { assertAssignable, change, type Update } from './update-case.ts';

/** Oldest stored status that a check takes in place of a live one, s: the least that POST /v1/check takes. */
const maxAgeSeconds = 300;

/** A case that would have less time than this is not begun, ms. */
const leastMs = 500;

type Request = Body<'change_partner_cases'>;

/** What is done to one case. Says whether anything changed. @throws ApiError why it is refused */
type Act = (row: CaseRow) => Promise<boolean>;

/**
 * POST /v1/client/cases/bulk. Each case has a transaction of its own with its event, one after another: what is refused of one does not
 * concern the others. The first transaction that has an effect also stores the record of the call, which names all of its cases. A call
 * that is killed in between has changed some of them; made again, it finds these unchanged and changes the others.
 */
export function changePartnerCases(ctx: Context): Handler<'change_partner_cases'> {
  return async ({ caller, body, remember }) => {
    assertSensible(body, caller);
    if (body.action === 'assign') await assertAssignable(ctx, caller, body.assignee_id);
    const rows = await ownCases(ctx, caller, body.case_refs);
    const act = await actOf(ctx, caller, body, [...rows.values()]);
    const resultOf = (ref: string) => resultFor(ref, rows.get(ref), act);

    const isCheck = body.action === 'check';
    const results: BulkResult[] = [];
    // A check writes nothing of the case; the monitor holds its pace and its limits.
    if (isCheck) results.push(...(await Promise.all(body.case_refs.map(resultOf))));
    else for (const ref of body.case_refs) results.push(await resultOf(ref));

    const answer = { body: { success: true, message: sentence(body.action, results), results } } as const;
    await transaction(ctx.db, async (session) => {
      if (isCheck) for (const row of rows.values()) acted('case', row._id);
      await remember(session, answer);
    });
    return answer;
  };
}

/** @throws ApiError validation_failed, insufficient_scope */
function assertSensible({ case_refs, action, assignee_id }: Request, { scopes }: PartnerPrincipal): void {
  if (action === 'check' && !scopes.includes('check')) throw new ApiError('insufficient_scope');
  const faults: Fault[] = [];
  const fault = (pointer: string, code: string, message: string) =>
    faults.push({ in: 'body', pointer, code, message });
  const firstAt = new Map<number | string, number>();
  for (const [index, ref] of case_refs.entries()) {
    const key = idOfCaseRef(ref) ?? ref;
    const first = firstAt.get(key);
    if (first === undefined) firstAt.set(key, index);
    else
      fault(`#/case_refs/${index}`, 'duplicate', `is the same case as number ${first + 1}; name each once`);
  }
  if (action === 'assign' && assignee_id === undefined)
    fault('#/assignee_id', 'required', 'is required to assign cases; null for nobody');
  if (action !== 'assign' && assignee_id !== undefined)
    fault('#/assignee_id', 'not_allowed', 'is only for the action `assign`');
  if (faults.length > 0) throw faultsError(faults);
}

/** The partner's cases by what the caller called them. */
async function ownCases(ctx: Context, { partner_id }: PartnerPrincipal, refs: readonly string[]) {
  const idOf = new Map(refs.map((ref) => [ref, idOfCaseRef(ref)]));
  const rows = await ctx.stores.cases.findSome([...idOf.values()].filter((id) => id !== null));
  const own = new Map(rows.filter((row) => row.partner_id === partner_id).map((row) => [row._id, row]));
  return new Map(
    refs.flatMap((ref) => {
      const row = own.get(idOf.get(ref) ?? 0);
      return row ? [[ref, row] as const] : [];
    }),
  );
}

async function actOf(
  ctx: Context,
  caller: PartnerPrincipal,
  { action, assignee_id }: Request,
  rows: readonly CaseRow[],
): Promise<Act> {
  const actedOnAll = () => {
    for (const { _id } of rows) acted('case', _id);
  };
  if (action === 'check') {
    return async ({ receipt_number }) => {
      seenIn(await checkFor(ctx, caller, { receipt_number, max_age: maxAgeSeconds }));
      return true;
    };
  }
  if (action === 'review') {
    const by = reviewerOf(caller);
    return async ({ _id }) =>
      await transaction(ctx.db, async (session) => {
        const ids = await ctx.stores.statusUpdates.unreviewedOf(session, _id);
        if (ids.length === 0) return false;
        actedOnAll();
        await ctx.stores.statusUpdates.setReviewed(session, ids, { at: ctx.clock.now(), by });
        return true;
      });
  }
  const requested: Update['requested'] =
    action === 'assign' ? { assignee_id } : { active: action === 'resume' };
  const userIds = rows.map(({ user_id }) => user_id);
  const [users, partner] = await Promise.all([
    ctx.identity.findUsers(caller.partner_id, userIds, ['version', 'status']),
    action === 'resume' ? ctx.identity.limitedPartner(caller.partner_id) : null,
  ]);
  return async (row) => {
    const user = users.get(row.user_id);
    if (!user) throw new ApiError('case_not_found');
    const slot = { userId: row.user_id, receiptNumber: row.receipt_number, partner };
    return await transactionInTurn(ctx, slot, async (session) => {
      const before = await ctx.stores.cases.find(row._id, session);
      const of = { caseId: row._id, user, partner, requested, by: reviewerOf(caller) };
      const after = await change(ctx, session, of);
      const isChanged = before?.version !== after.version;
      if (isChanged) actedOnAll();
      return isChanged;
    });
  };
}

async function resultFor(case_ref: string, row: CaseRow | undefined, act: Act): Promise<BulkResult> {
  try {
    if (!row) throw new ApiError('case_not_found');
    if (timeLeftMs() < leastMs)
      throw new ApiError('service_unavailable', { message: 'There was no time left; send this case again.' });
    const outcome = (await act(row)) ? 'done' : 'unchanged';
    return { case_ref, outcome, code: null, message: null };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'internal_error') throw error;
    return { case_ref, outcome: 'refused', code: error.code, message: error.message };
  }
}

function sentence(action: BulkAction, results: readonly BulkResult[]): string {
  const count = (outcome: BulkResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return `${action}: ${count('done')} done, ${count('unchanged')} unchanged, ${count('refused')} refused.`;
}
