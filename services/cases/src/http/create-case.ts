import { type Caller, type Success, toIso } from '@casewatch/contracts';
import type { Call, Handler } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import { assertCaseAllowed } from '../changes/case-slot.ts';
import { type NewCase, type StoredCase, storeNewCase } from '../changes/store-new-case.ts';
import { checkReceipt } from '../clients/monitor.ts';
import type { Context } from '../context.ts';
import { deferredState, firstStateOf } from '../domain/first-state.ts';
import { presentCreatedCase, shownOfUser } from '../present/case.ts';
import { presentStatusUpdate } from '../present/status-update.ts';
import type { CaseRow } from '../store/cases.ts';
import { rememberShown } from './check.ts';
import { userOfCaller } from './user-of-caller.ts';

/** Greatest age of a stored answer for the first check, s: two cases of one receipt cost one check. */
const maxAgeSeconds = 60;

/** POST /v1/users/{user_id}/cases */
export function createCase(ctx: Context): Handler<'create_case'> {
  return async (call) => await makeCase(ctx, call, (row) => `/v1/users/${row.user_id}/cases/${row._id}`);
}

/** POST /v1/client/users/{user_id}/cases */
export function createPartnerCase(ctx: Context): Handler<'create_partner_case'> {
  return async (call) => await makeCase(ctx, call, (row) => `/v1/client/cases/${row._id}`);
}

type Creation = Pick<Call<'create_case'>, 'address' | 'params' | 'body'> & {
  caller: Caller;
  remember(session: Session, answer: CreateAnswer, userId: number): Promise<void>;
};

type CreateAnswer = { headers: { location: string }; body: Success<'create_case'> };

/** Creates a case and remembers the answer for its Idempotency-Key in one transaction (interface.md §4). */
export async function makeCase(
  ctx: Context,
  { caller, address, params, body, remember }: Creation,
  locationOf: (row: CaseRow) => string,
): Promise<CreateAnswer> {
  const startedAt = ctx.clock.now().getTime();
  const fields = ['version', ...shownOfUser] as const;
  const user = await userOfCaller(ctx, caller, { userId: params.user_id, fields });
  const { receipt_number: receiptNumber, description } = body;
  await assertCaseAllowed(ctx, { user, receiptNumber });
  await ctx.capacity.assertCapacity();

  const payer = { partner_id: user.partner_id, user_id: user.id };
  const elapsedMs = ctx.clock.now().getTime() - startedAt;
  const check = { receiptNumber, caller: payer, maxAgeSeconds, elapsedMs };
  const isDeferred = body.first_check === 'deferred';
  const reply = isDeferred ? null : await checkReceipt(ctx.bus, check);
  const first = reply ? firstStateOf(reply) : deferredState;

  const acknowledgedBy = acknowledgerOf(caller, address);
  const newCase = { user, receiptNumber, description, first, acknowledgedBy };
  const created = await storeNewCase(ctx, newCase, async (session, stored) => {
    const answer = answerOf(newCase, stored, locationOf(stored.row));
    await remember(session, answer, user.id);
    return answer;
  });
  if (reply) await rememberShown(ctx, caller, receiptNumber, reply);
  return created;
}

function acknowledgerOf(caller: Caller, address: string): NewCase['acknowledgedBy'] {
  if (caller.kind !== 'partner') return { partnerId: null, keyId: null, address };
  return { partnerId: caller.partner_id, keyId: caller.key_id, address };
}

function answerOf({ user, first }: NewCase, { row, update }: StoredCase, location: string): CreateAnswer {
  const view = { language: user.preferred_language, time: toIso, now: row.created_at };
  return {
    headers: { location },
    body: {
      success: true,
      message: first.message,
      case: presentCreatedCase(row, user, view),
      status_updates: update === null ? [] : [presentStatusUpdate(update, view)],
      update_count: row.update_count,
    },
  };
}
