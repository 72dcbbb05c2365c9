import { type Body, toIso } from '@casewatch/contracts';
import { ApiError, type Handler } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { presentCase } from '../present/case.ts';
import { caseStateOf } from '../rules/case.ts';
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
    const row = await ownCase(ctx, caller, { ref: params.case_ref, userId: params.user_id });
    const user = await ctx.identity.findUser(row.user_id, ['version', 'status', 'preferred_language']);
    if (user === null) throw notFound();

    const slot = { userId: row.user_id, receiptNumber: row.receipt_number };
    const changed = await transactionInTurn(ctx, slot, (session) =>
      change(ctx, session, { caseId: row._id, user, requested: body }),
    );
    const view = { language: user.preferred_language, time: toIso, now: ctx.clock.now() };
    return { body: { success: true, message: 'Case updated.', case: presentCase(changed, view) } };
  };
}

type Update = { caseId: number; user: SlotRequest['user']; requested: Body<'update_case'> };

/** Returns the case after the change. A request that changes nothing writes nothing. */
async function change(ctx: Context, session: Session, { caseId, user, requested }: Update): Promise<CaseRow> {
  const row = await ctx.stores.cases.find(caseId, session);
  if (row === null) throw notFound();
  // `active: true` asks for monitoring, which an inactive user does not get, also if the case is active already.
  if (requested.active === true) await assertUserActive(ctx, session, user);
  const changes = changesOf(row, requested);
  if (Object.keys(changes).length === 0) return row;

  if (changes.active === true) {
    await assertNotMonitored(ctx, session, row);
    await reserveCaseSlot(ctx, session, user);
  }
  if (changes.active === false) await ctx.stores.userStates.release(session, user.id);
  const now = ctx.clock.now();
  const [after] = await ctx.stores.cases.change(session, [caseId], {
    ...changes,
    ...(changes.active === true && watchBegun(now)),
    ...(changes.active === false && watchEnded(now)),
    updated_at: now,
  });
  if (after === undefined) throw notFound();
  await ctx.outbox.add(session, 'case.updated', `case/${caseId}`, caseStateOf(after));
  return after;
}

function changesOf(row: CaseRow, { active, description }: Body<'update_case'>) {
  const changes: { active?: boolean; description?: string } = {};
  if (active !== undefined && active !== row.active) changes.active = active;
  if (description !== undefined && description !== row.description) changes.description = description;
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
