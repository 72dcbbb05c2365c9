import { type Body, type Caller, type PartnerPrincipal, toIso } from '@casewatch/contracts';
import { ApiError, faultsError, type Handler } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { presentCase, presentPartnerCase, type View } from '../present/case.ts';
import { changedCaseOf } from '../rules/case.ts';
import { newerState, watchBegun, watchEnded } from '../rules/watching.ts';
import type { CaseRow } from '../store/cases.ts';
import {
  assertActive,
  assertNotMonitored,
  reserveCaseSlot,
  type SlotRequest,
  stateOf,
  transactionInTurn,
} from './active-cases.ts';
import { ownCase } from './own-case.ts';

/** PUT /v1/users/{user_id}/cases/{case_ref} */
export function updateCase(ctx: Context): Handler<'update_case'> {
  return async ({ caller, params, body }) => {
    const path = { ref: params.case_ref, userId: params.user_id };
    const { row, view } = await updateOwnCase(ctx, caller, path, body);
    return { body: { success: true, message: 'Case updated.', case: presentCase(row, view) } };
  };
}

/** PUT /v1/client/cases/{case_ref} */
export function updatePartnerCase(ctx: Context): Handler<'update_partner_case'> {
  return async ({ caller, params, body }) => {
    await assertAssignable(ctx, caller, body.assignee_id);
    const { row, view } = await updateOwnCase(ctx, caller, { ref: params.case_ref }, body);
    const assignees = await ctx.identity.assigneesOf(caller.partner_id, [row]);
    const changed = {
      ...presentPartnerCase(row, view),
      assignee: assignees.of(row),
      reference: row.reference,
    };
    return { body: { success: true, message: 'Case updated.', case: changed } };
  };
}

/** @throws ApiError staff_not_found; validation_failed for a member without access */
export async function assertAssignable(
  ctx: Context,
  { partner_id }: PartnerPrincipal,
  staffId: number | null | undefined,
): Promise<void> {
  if (staffId == null) return;
  const { isDisabled } = await ctx.identity.findMember(partner_id, staffId);
  if (!isDisabled) return;
  const message = 'is a member without access; give the access back, or choose another member';
  throw faultsError([{ in: 'body', pointer: '#/assignee_id', code: 'not_allowed', message }]);
}

/** @throws ApiError case_not_found, and what `change` throws */
async function updateOwnCase(
  ctx: Context,
  caller: Caller,
  path: { ref: string; userId?: number },
  requested: Requested,
): Promise<{ row: CaseRow; view: View }> {
  const row = await ownCase(ctx, caller, path);
  const user = await ctx.identity.findUser(row.user_id, ['version', 'status', 'preferred_language']);
  if (user === null) throw notFound();

  const slot = { userId: row.user_id, receiptNumber: row.receipt_number };
  const changed = await transactionInTurn(ctx, slot, (session) =>
    change(ctx, session, { caseId: row._id, user, requested }),
  );
  return { row: changed, view: { language: user.preferred_language, time: toIso, now: ctx.clock.now() } };
}

type Requested = Body<'update_partner_case'>;
export type Update = { caseId: number; user: SlotRequest['user']; requested: Requested };

/** Returns the case after the change. A request that changes nothing writes nothing. */
export async function change(
  ctx: Context,
  session: Session,
  { caseId, user, requested }: Update,
): Promise<CaseRow> {
  const row = await ctx.stores.cases.find(caseId, session);
  if (row === null) throw notFound();
  // `active: true` asks for monitoring, which an inactive user does not get, also if the case is active already.
  if (requested.active === true) await assertUserActive(ctx, session, user);
  const changes = changesOf(row, requested);
  if (changes.assignee_id != null && !(await ctx.stores.staffStates.follow(session, changes.assignee_id)))
    throw new ApiError('staff_not_found');
  if (Object.keys(changes).length === 0) return row;

  if (changes.active === true) {
    await assertNotMonitored(ctx, session, row);
    await reserveCaseSlot(ctx, session, user);
  }
  if (changes.active === false) await ctx.stores.userStates.release(session, user.id);
  const now = ctx.clock.now();
  const [after] = await ctx.stores.cases.changeTexts(session, row, {
    ...changes,
    ...(changes.active === true && watchBegun(now)),
    ...(changes.active === false && watchEnded(now)),
    updated_at: now,
  });
  if (after === undefined) throw notFound();
  if (changes.assignee_id !== undefined)
    await ctx.stores.statusUpdates.setAssignee(session, [caseId], changes.assignee_id);
  await ctx.outbox.add(session, 'case.updated', `case/${caseId}`, changedCaseOf(after));
  return after;
}

function changesOf(row: CaseRow, { active, assignee_id, description, reference }: Requested) {
  const changes: Partial<Pick<CaseRow, 'active' | 'assignee_id' | 'description' | 'reference'>> = {};
  if (active !== undefined && active !== row.active) changes.active = active;
  if (assignee_id !== undefined && assignee_id !== row.assignee_id) changes.assignee_id = assignee_id;
  if (description !== undefined && description !== row.description) changes.description = description;
  if (reference !== undefined && reference !== row.reference) changes.reference = reference;
  return changes;
}

/** @throws ApiError user_not_active; case_not_found after the user's erasure */
async function assertUserActive(ctx: Context, session: Session, user: SlotRequest['user']): Promise<void> {
  const stored = await ctx.stores.userStates.find(user.id, session);
  const state = newerState(stored, stateOf(user));
  if (state.deleted) throw notFound();
  assertActive(state);
}

function notFound(): ApiError {
  return new ApiError('case_not_found');
}
