import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { caseStateOf } from '../domain/case-event.ts';
import type { FirstState } from '../domain/first-state.ts';
import { watchBegun } from '../domain/monitoring.ts';
import { firstChannelState } from '../domain/notify.ts';
import type { ShownUser } from '../present/case.ts';
import type { CaseRow } from '../store/cases.ts';
import type { StatusUpdateRow } from '../store/status-updates.ts';
import { activationTransaction, reserveCaseSlot, type SlotRequest } from './case-slot.ts';

export type NewCase = {
  user: ShownUser & SlotRequest['user'] & { partner_id: number | null };
  receiptNumber: string;
  description: string;
  first: FirstState;
  /** `partnerId` and `keyId` are null if the user acknowledged. */
  acknowledgedBy: { partnerId: number | null; keyId: string | null; address: string };
};

export type StoredCase = { row: CaseRow; update: StatusUpdateRow | null };

/**
 * Stores the case with its acknowledgement, first StatusUpdate and event, and calls `finish` in the same transaction.
 * Returns the result of `finish`.
 * @throws ApiError as `assertCaseAllowed`: the user's state may have changed since the first check began
 */
export async function storeNewCase<T>(
  ctx: Context,
  newCase: NewCase,
  finish: (session: Session, stored: StoredCase) => Promise<T>,
): Promise<T> {
  const [caseId, acknowledgementId] = await Promise.all([
    ctx.ids.next('cases'),
    ctx.ids.next('acknowledgements'),
  ]);
  const row = newRow(ctx, caseId, newCase);
  const { user, receiptNumber, first } = newCase;
  return await activationTransaction(ctx, { userId: user.id, receiptNumber }, async (session) => {
    await reserveCaseSlot(ctx, session, user);
    await ctx.stores.cases.insert(session, row);
    await ctx.stores.acknowledgements.insert(session, acknowledgementOf(row, acknowledgementId, newCase));
    await ctx.outbox.add(session, 'case.created', `case/${caseId}`, {
      ...caseStateOf(row),
      first_check: first.first_check,
      baseline: first.seen?.baseline ?? null,
    });
    return await finish(session, { row, update: await insertFirstUpdate(ctx, session, caseId, first) });
  });
}

async function insertFirstUpdate(ctx: Context, session: Session, caseId: number, { seen }: FirstState) {
  if (seen === null) return null;
  return await ctx.stores.statusUpdates.insert(session, {
    id: seen.baseline.status_update_id,
    caseId,
    observed: seen.observed,
    channel: firstChannelState('baseline'),
  });
}

function newRow(ctx: Context, id: number, { user, receiptNumber, description, first }: NewCase): CaseRow {
  const now = ctx.clock.now();
  const { seen } = first;
  return {
    _id: id,
    user_id: user.id,
    partner_id: user.partner_id,
    receipt_number: receiptNumber,
    description,
    active: true,
    version: 1,
    created_at: now,
    updated_at: now,
    last_checked: first.checked_at,
    update_count: seen === null ? 0 : 1,
    changed_at: null,
    latest_update: seen && { id: seen.baseline.status_update_id, ...seen.observed },
    ...watchBegun(now),
    watched_version: 1,
    uscis_access_acknowledged_at: now,
    uscis_access_ack_version: ctx.config.USCIS_ACCESS_ACK_VERSION,
    attachments: 0,
  };
}

function acknowledgementOf(row: CaseRow, id: number, { acknowledgedBy }: NewCase) {
  return {
    _id: id,
    case_id: row._id,
    version: row.uscis_access_ack_version,
    acknowledged_at: row.uscis_access_acknowledged_at,
    partner_id: acknowledgedBy.partnerId,
    key_id: acknowledgedBy.keyId,
    address: acknowledgedBy.address,
    user_id: row.user_id,
    receipt_number: row.receipt_number,
  };
}
