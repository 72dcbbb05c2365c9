import { type Caller, type Success, toIso } from '@casewatch/contracts';
import type { Call, Session } from '@casewatch/platform';
import { checkPlace } from '../changes/place.ts';
import { type NewCase, type StoredCase, storeNewCase } from '../changes/store-new-case.ts';
import { askCheck } from '../clients/monitor.ts';
import type { Context } from '../context.ts';
import { deferredState, type FirstState, firstStateOf } from '../domain/first-state.ts';
import { presentCreatedCase } from '../present/case.ts';
import { presentStatusUpdate } from '../present/status-update.ts';
import type { CaseRow } from '../store/cases.ts';
import { receiptRejected } from './receipt-rejected.ts';
import { userOfCaller } from './user-of-caller.ts';

/** An answer to the first check this young is taken from the monitor's store: two cases made at once cost one check. */
const freshForSeconds = 60;

/** What both operations have in common. */
type Creation = Pick<Call<'create_case'>, 'address' | 'params' | 'body'> & {
  caller: Caller;
  remember(session: Session, answer: Made, userId: number): Promise<void>;
};

type Made = { headers: { location: string }; body: Success<'create_case'> };

/**
 * Creates a case, alike for partners and users (interface.md §4, "Creating a case"). The answer is remembered for its
 * Idempotency-Key in the transaction that stores the case. `locate`: where its creator reads the case.
 */
export async function makeCase(
  ctx: Context,
  { caller, address, params, body, remember }: Creation,
  locate: (row: CaseRow) => string,
): Promise<Made> {
  const began = ctx.clock.now().getTime();
  const user = await userOfCaller(ctx, caller, params.user_id);
  const { receipt_number: receiptNumber, description } = body;
  await checkPlace(ctx, { user, receiptNumber });
  await ctx.admission.admit();

  const charged = { partner_id: user.partner_id, user_id: user.id };
  const elapsedMs = ctx.clock.now().getTime() - began;
  const question = { receiptNumber, caller: charged, maxAgeSeconds: freshForSeconds, elapsedMs };
  const first = body.first_check === 'deferred' ? deferredState : await firstState(ctx, question);

  const made = { user, receiptNumber, description, first, acknowledgedBy: whoOf(caller, address) };
  return await storeNewCase(ctx, made, async (session, stored) => {
    const answer = answerOf(made, stored, locate(stored.row));
    await remember(session, answer, user.id);
    return answer;
  });
}

/** @throws ApiError receipt_number_rejected, with the government's own sentence where it gave one */
async function firstState(ctx: Context, question: Parameters<typeof askCheck>[1]): Promise<FirstState> {
  const reply = await askCheck(ctx.bus, question);
  if (reply.outcome === 'rejected') throw receiptRejected(reply.message);
  return firstStateOf(reply);
}

function whoOf(caller: Caller, address: string): NewCase['acknowledgedBy'] {
  if (caller.kind !== 'partner') return { partnerId: null, keyId: null, address };
  return { partnerId: caller.partner_id, keyId: caller.key_id, address };
}

function answerOf({ user, first }: NewCase, { row, update }: StoredCase, location: string): Made {
  const view = { language: user.preferred_language, time: toIso };
  return {
    headers: { location },
    body: {
      success: true,
      message: first.message,
      case: presentCreatedCase(row, user),
      status_updates: update === null ? [] : [presentStatusUpdate(update, view)],
      update_count: row.update_count,
    },
  };
}
