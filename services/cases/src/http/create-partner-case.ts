import { toIso, type UserReply } from '@casewatch/contracts';
import { ApiError, type Handler } from '@casewatch/platform';
import { checkPlace } from '../changes/place.ts';
import { storeNewCase } from '../changes/store-new-case.ts';
import { askUser } from '../clients/identity.ts';
import { askFirstCheck } from '../clients/monitor.ts';
import type { Context } from '../context.ts';
import { deferredState, type FirstState, firstStateOf } from '../domain/first-state.ts';
import { partnerOf } from './callers.ts';
import { presentCreatedCase } from './present-case.ts';
import { presentStatusUpdate } from './present-status-update.ts';

/** POST /v1/client/users/{user_id}/cases: the first check is made before the answer, unless the caller defers it. */
export function createPartnerCase(ctx: Context): Handler<'create_partner_case'> {
  return async ({ principal, address, params, body }) => {
    const { partner_id: partnerId, key_id: keyId } = partnerOf(principal);
    const began = ctx.clock.now().getTime();
    const user = await userOfPartner(ctx, params.user_id, partnerId);
    const receiptNumber = body.receipt_number;
    await checkPlace(ctx, { user, receiptNumber });

    const elapsedMs = ctx.clock.now().getTime() - began;
    const question = { receiptNumber, partnerId, userId: user.id, elapsedMs };
    const first = body.first_check === 'deferred' ? deferredState : await firstState(ctx, question);

    const acknowledgedBy = { partnerId, keyId, address };
    const { description } = body;
    const made = { user, receiptNumber, description, first, acknowledgedBy };
    const { row, update } = await storeNewCase(ctx, made);

    const view = { language: user.preferred_language, time: toIso };
    return {
      headers: { location: `/v1/client/cases/${row._id}` },
      body: {
        success: true,
        message: first.message,
        case: presentCreatedCase(row, user),
        status_updates: update === null ? [] : [presentStatusUpdate(update, view)],
        update_count: row.update_count,
      },
    };
  };
}

/** @throws ApiError user_not_found, also for another tenant's user */
async function userOfPartner(ctx: Context, userId: number, partnerId: number): Promise<UserReply> {
  const user = await askUser(ctx.bus, userId);
  if (user.partner_id !== partnerId) throw new ApiError('user_not_found');
  return user;
}

/** @throws ApiError receipt_number_rejected, with the government's own sentence where it gave one */
async function firstState(ctx: Context, question: Parameters<typeof askFirstCheck>[1]): Promise<FirstState> {
  const reply = await askFirstCheck(ctx.bus, question);
  if (reply.outcome !== 'rejected') return firstStateOf(reply);
  const message = `The government refuses this receipt number${reply.message ? `: ${reply.message}` : '.'}`;
  const fault = {
    in: 'body',
    pointer: '#/receipt_number',
    code: 'receipt_number_rejected',
    message,
  } as const;
  throw new ApiError('receipt_number_rejected', { message, faults: [fault] });
}
