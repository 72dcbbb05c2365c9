import { type Body, toIso, type UserReply } from '@casewatch/contracts';
import { ApiError, type Handler, type Session } from '@casewatch/platform';
import { assertActive, placeTransaction, takePlace } from '../changes/place.ts';
import { findUser } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import { changesOf } from '../domain/case-change.ts';
import { caseStateOf } from '../domain/case-event.ts';
import { watchBegun, watchEnded } from '../domain/monitoring.ts';
import { newerState } from '../domain/user-state.ts';
import { presentCase } from '../present/case.ts';
import type { CaseRow } from '../store/cases.ts';
import { ownCase } from './own-case.ts';

/** PUT /v1/users/{user_id}/cases/{case_ref}: description, and whether the case is monitored. */
export function updateCase(ctx: Context): Handler<'update_case'> {
  return async ({ caller, params, body }) => {
    const row = await ownCase(ctx, caller, { ref: params.case_ref, userId: params.user_id });
    const user = await findUser(ctx.bus, row.user_id);
    if (user === null) throw notFound();

    const changed = await placeTransaction(
      ctx,
      { userId: row.user_id, receiptNumber: row.receipt_number },
      (session) => change(ctx, session, { caseId: row._id, user, wanted: body }),
    );
    return {
      body: {
        success: true,
        message: 'Case updated.',
        case: presentCase(changed, { language: user.preferred_language, time: toIso }),
      },
    };
  };
}

type Request = { caseId: number; user: UserReply; wanted: Body<'update_case'> };

/** Decides and writes with the event; the case as it is afterwards. What changes nothing writes nothing. */
async function change(ctx: Context, session: Session, { caseId, user, wanted }: Request): Promise<CaseRow> {
  const row = await ctx.stores.cases.find(caseId, session);
  if (row === null) throw notFound();
  // Who sends active: true wants it monitored, which an inactive user's case is not, changed or unchanged.
  if (wanted.active === true) await assertUserActive(ctx, session, user);
  const changes = changesOf(row, wanted);
  if (Object.keys(changes).length === 0) return row;

  if (changes.active === true) await takePlace(ctx, session, { user, receiptNumber: row.receipt_number });
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

/** @throws ApiError user_not_active, by the newer of identity's and the events' word; case_not_found after erasure */
async function assertUserActive(ctx: Context, session: Session, user: UserReply): Promise<void> {
  const known = await ctx.stores.userStates.find(user.id, session);
  const state = newerState(known, { version: user.version, status: user.status, deleted: false });
  if (state.deleted) throw notFound();
  assertActive(state);
}

function notFound(): ApiError {
  return new ApiError('case_not_found');
}
