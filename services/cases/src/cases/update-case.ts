import {
  type Body,
  type Caller,
  noticeDays,
  type PartnerPrincipal,
  type Reviewer,
  toIso,
} from '@casewatch/contracts';
import { ApiError, faultsError, type Handler } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import { reviewerOf } from '../changes/index.ts';
import type { Context } from '../context.ts';
import { presentAdditions, presentCase, presentPartnerCase, type View } from '../present/case.ts';
import { changedCaseOf, storedDates } from '../rules/case.ts';
import { estimateOf } from '../rules/status-update.ts';
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
    assertSensible(body, ctx.clock.now());
    const { row, view } = await updateOwnCase(ctx, caller, { ref: params.case_ref }, body);
    const assignees = await ctx.identity.assigneesOf(caller.partner_id, [row]);
    const changed = {
      ...presentPartnerCase(row, view),
      ...presentAdditions(row, assignees.of(row), toIso),
    };
    return { body: { success: true, message: 'Case updated.', case: changed } };
  };
}

/** @throws ApiError validation_failed for a day that no notice names */
function assertSensible({ respond_by }: Requested, now: Date): void {
  if (respond_by == null) return;
  const { first, last } = noticeDays(now);
  if (respond_by >= first && respond_by <= last) return;
  const message = `must be a day from ${first} to ${last}`;
  throw faultsError([{ in: 'body', pointer: '#/respond_by', code: 'out_of_range', message }]);
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

/** @throws ApiError case_not_found, what `assertAssignable` and `change` throw */
async function updateOwnCase(
  ctx: Context,
  caller: Caller,
  path: { ref: string; userId?: number },
  requested: Requested,
): Promise<{ row: CaseRow; view: View }> {
  const row = await ownCase(ctx, caller, path);
  // A form sends the assignee along: a member who lost access stays until somebody else is chosen.
  if (caller.kind === 'partner' && requested.assignee_id !== row.assignee_id)
    await assertAssignable(ctx, caller, requested.assignee_id);
  const [user, partner] = await Promise.all([
    ctx.identity.findUser(row.user_id, ['version', 'status', 'preferred_language']),
    requested.active === true ? ctx.identity.limitedPartner(row.partner_id) : null,
  ]);
  if (user === null) throw notFound();

  const slot = { userId: row.user_id, receiptNumber: row.receipt_number, partner };
  const changed = await transactionInTurn(ctx, slot, (session) =>
    change(ctx, session, {
      caseId: row._id,
      user,
      partner,
      requested,
      by: caller.kind === 'partner' ? reviewerOf(caller) : null,
    }),
  );
  return { row: changed, view: { language: user.preferred_language, time: toIso, now: ctx.clock.now() } };
}

type Requested = Body<'update_partner_case'>;
export type Update = {
  caseId: number;
  user: SlotRequest['user'];
  /** Of a case that may become active. */
  partner: SlotRequest['partner'];
  requested: Requested;
  /** Who changes the case; null: its user or an import, which note no dates. */
  by: Reviewer | null;
};

/** Returns the case after the change. A request that changes nothing writes nothing. */
export async function change(
  ctx: Context,
  session: Session,
  { caseId, user, partner, requested, by }: Update,
): Promise<CaseRow> {
  const row = await ctx.stores.cases.find(caseId, session);
  if (row === null) throw notFound();
  assertStatusSeen(row, requested);
  // `active: true` asks for monitoring, which an inactive user does not get, also if the case is active already.
  if (requested.active === true) await assertUserActive(ctx, session, user);
  const now = ctx.clock.now();
  const changes = { ...changesOf(row, requested), ...datesOf(row, requested, by && { at: now, by }) };
  if (changes.assignee_id != null && !(await ctx.stores.staffStates.follow(session, changes.assignee_id)))
    throw new ApiError('staff_not_found');
  if (Object.keys(changes).length === 0) return row;

  if (changes.active === true) {
    await assertNotMonitored(ctx, session, row);
    await reserveCaseSlot(ctx, session, { user, partner });
  }
  if (changes.active === false) await ctx.stores.userStates.release(session, user.id);
  const [after] = await ctx.stores.cases.changeTexts(session, row, {
    ...changes,
    ...(changes.active === true && watchBegun(now)),
    ...(changes.active === false && watchEnded(now)),
    updated_at: now,
  });
  if (after === undefined) throw notFound();
  if (changes.assignee_id !== undefined)
    await ctx.stores.statusUpdates.setAssignee(session, [caseId], changes.assignee_id);
  if (changes.respond_by !== undefined && row.latest_update !== null)
    await ctx.stores.statusUpdates.setRespondBy(session, row.latest_update.id, changes.respond_by);
  await ctx.outbox.add(session, 'case.updated', `case/${caseId}`, changedCaseOf(after));
  return after;
}

/** A day, or an answer, of the status that a person saw is never noted for the next one. @throws ApiError status_changed */
function assertStatusSeen({ latest_update }: CaseRow, { status_update_id: seen }: Requested): void {
  if (seen !== undefined && seen !== latest_update?.id) throw new ApiError('status_changed');
}

function changesOf(row: CaseRow, { active, assignee_id, description, reference }: Requested) {
  const changes: Partial<Pick<CaseRow, 'active' | 'assignee_id' | 'description' | 'reference'>> = {};
  if (active !== undefined && active !== row.active) changes.active = active;
  if (assignee_id !== undefined && assignee_id !== row.assignee_id) changes.assignee_id = assignee_id;
  if (description !== undefined && description !== row.description) changes.description = description;
  if (reference !== undefined && reference !== row.reference) changes.reference = reference;
  return changes;
}

/** The dates of the case, if they change. Null as a day goes back to our estimate; who said first that the answer is sent stays. */
function datesOf(
  row: CaseRow,
  { respond_by: day, respond_done: isDone }: Requested,
  done: CaseRow['respond_done'],
): Partial<ReturnType<typeof storedDates>> {
  const { latest_update, respond_by, respond_done } = row;
  const estimate = latest_update && estimateOf(latest_update);
  const noted = day == null ? estimate : ({ date: day, source: 'notice' } as const);
  const isMoved =
    day !== undefined && (noted?.date !== respond_by?.date || noted?.source !== respond_by?.source);
  const isSaid = isDone !== undefined && isDone !== (respond_done !== null);
  if (!isMoved && !isSaid) return {};
  const dates = storedDates(
    {
      respond_by: isMoved ? noted : respond_by,
      respond_done: isSaid ? (isDone ? done : null) : respond_done,
    },
    row,
  );
  const { respond_by: _, ...others } = dates;
  return isMoved ? dates : others;
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
