import {
  asksForAnswer,
  type Baseline,
  type Caller,
  type FirstCheck,
  type Success,
  toIso,
} from '@casewatch/contracts';
import type { Call, Handler } from '@casewatch/platform';
import { databaseTime, type Session } from '@casewatch/platform/database';
import { maySeePeople } from '../clients/identity.ts';
import { type Checked, checkReceipt } from '../clients/monitor.ts';
import type { Context } from '../context.ts';
import { presentCreatedCase, presentStatusUpdate, type ShownUser, shownOfUser } from '../present/case.ts';
import { caseStateOf, storedDates } from '../rules/case.ts';
import {
  baselineOf,
  firstChannelState,
  newChange,
  type Observed,
  respondByOf,
  toObserved,
} from '../rules/status-update.ts';
import { watchBegun } from '../rules/watching.ts';
import type { AcknowledgementRow } from '../store/acknowledgements.ts';
import type { CaseRow } from '../store/cases.ts';
import type { StatusUpdateRow } from '../store/status-updates.ts';
import { assertCaseAllowed, reserveCaseSlot, type SlotRequest, transactionInTurn } from './active-cases.ts';

/**
 * Greatest age of a stored answer for the first check, s: two cases of one receipt, for example of a family, cost one check of
 * the day's quota.
 */
const maxAgeSeconds = 60;

/** POST /v1/users/{user_id}/cases */
export function createCase(ctx: Context): Handler<'create_case'> {
  return async (call) => await checkAndStore(ctx, call, (row) => `/v1/users/${row.user_id}/cases/${row._id}`);
}

/** POST /v1/client/users/{user_id}/cases */
export function createPartnerCase(ctx: Context): Handler<'create_partner_case'> {
  return async (call) => await checkAndStore(ctx, call, (row) => `/v1/client/cases/${row._id}`);
}

type Creation = Pick<Call<'create_case'>, 'address' | 'params' | 'body'> & {
  caller: Caller;
  remember(session: Session, answer: CreateAnswer, userId: number): Promise<void>;
};

type CreateAnswer = { headers: { location: string }; body: Success<'create_case'> };

/** The schema of the body has refused a creation without acknowledgement, and has cleaned the receipt number. */
export async function checkAndStore(
  ctx: Context,
  { caller, address, params, body, remember }: Creation,
  locationOf: (row: CaseRow) => string,
): Promise<CreateAnswer> {
  const [user, partner] = await Promise.all([
    ctx.identity.fetchUserOf(caller, params.user_id, ['version', ...shownOfUser]),
    ctx.identity.limitedPartner(caller.partner_id),
  ]);
  const { receipt_number: receiptNumber, description } = body;
  await assertCaseAllowed(ctx, { user, partner, receiptNumber });
  await ctx.capacity.assertCapacity();

  const payer = { partner_id: user.partner_id, user_id: user.id };
  const isDeferred = body.first_check === 'deferred';
  const reply = isDeferred ? null : await checkReceipt(ctx.bus, { receiptNumber, payer, maxAgeSeconds });
  const first = reply ? firstCheckOf(reply) : deferredCheck;

  const acknowledgedBy = acknowledgerOf(caller, address);
  const newCase = { user, partner, receiptNumber, description, first, acknowledgedBy };
  return await storeNewCase(ctx, newCase, async (session, stored) => {
    const shown = maySeePeople(caller) ? user : null;
    const answer = answerOf(newCase, { ...stored, shown, location: locationOf(stored.row) });
    await remember(session, answer, user.id);
    if (reply) await ctx.ownChecks.put(caller, receiptNumber, reply, session);
    return answer;
  });
}

function acknowledgerOf(caller: Caller, address: string): NewCase['acknowledgedBy'] {
  if (caller.kind !== 'partner') return { partner_id: null, key_id: null, staff_id: null, address };
  const { partner_id, staff_id = null } = caller;
  return { partner_id, key_id: staff_id === null ? caller.key_id : null, staff_id, address };
}

type Answered = StoredCase & { shown: ShownUser | null; location: string };

function answerOf(
  { user, first }: NewCase & { user: ShownUser },
  { row, update, shown, location }: Answered,
): CreateAnswer {
  const view = { language: user.preferred_language, time: toIso, now: row.created_at };
  return {
    headers: { location },
    body: {
      success: true,
      message: first.message,
      case: presentCreatedCase(row, shown, view),
      status_updates: update === null ? [] : [presentStatusUpdate(update, view)],
      update_count: row.update_count,
    },
  };
}

/** What the first check of a new case brought. */
type FirstCheckResult = {
  first_check: FirstCheck;
  checked_at: Date | null;
  seen: { baseline: Baseline; observed: Observed } | null;
  /** Sentence for the caller. USCIS answers the same for a protected case and an unknown one. */
  message: string;
};

export const deferredCheck: FirstCheckResult = {
  first_check: 'deferred',
  checked_at: null,
  seen: null,
  message: 'Case created. Its status will be checked soon.',
};

export function firstCheckOf(reply: Checked): FirstCheckResult {
  const checked_at = new Date(reply.checked_at);
  if (reply.outcome === 'not_found') {
    const message = 'Case created. USCIS shows no status for it at the moment; it will be checked again.';
    return { first_check: 'not_found', checked_at, seen: null, message };
  }
  if (reply.outcome === 'unreadable') {
    const message = 'Case created. The response of USCIS could not be read; the case will be checked again.';
    return { first_check: 'unreadable', checked_at, seen: null, message };
  }
  const { status_update_id, observation, facts_hash } = reply;
  return {
    first_check: 'seen',
    checked_at,
    seen: {
      baseline: { status_update_id, observation, facts_hash },
      observed: toObserved(reply.facts, baselineOf(reply)),
    },
    message: 'Case created.',
  };
}

export type NewCase = {
  user: SlotRequest['user'] & { partner_id: number | null };
  partner: SlotRequest['partner'];
  receiptNumber: string;
  description: string;
  first: FirstCheckResult;
  acknowledgedBy: Omit<
    AcknowledgementRow,
    '_id' | 'case_id' | 'version' | 'acknowledged_at' | 'user_id' | 'receipt_number'
  >;
};

/** A case that is about to be stored, with its ids. */
export type PreparedCase = { newCase: NewCase; row: CaseRow; acknowledgementId: number };

type StoredCase = { row: CaseRow; update: StatusUpdateRow | null };

/**
 * Stores the case with its acknowledgement, first StatusUpdate and event. `finish` makes the answer and stores it for the
 * Idempotency-Key in the same transaction, so that a caller who lost the answer gets it again; it may run more than once. If
 * the user ends after the commit, people.ts finds the case.
 * @throws ApiError as `assertCaseAllowed`: the user's state may have changed since the first check began
 */
export async function storeNewCase<T>(
  ctx: Context,
  newCase: NewCase,
  finish: (session: Session, stored: StoredCase) => Promise<T>,
): Promise<T> {
  const prepared = await prepareNewCase(ctx, newCase);
  const { user, partner, receiptNumber } = newCase;
  return await transactionInTurn(ctx, { userId: user.id, receiptNumber, partner }, async (session) => {
    await reserveCaseSlot(ctx, session, newCase);
    return await finish(session, await insertNewCase(ctx, session, prepared));
  });
}

export async function prepareNewCase(ctx: Context, newCase: NewCase): Promise<PreparedCase> {
  const [caseId, acknowledgementId] = await Promise.all([
    ctx.ids.next('cases'),
    ctx.ids.next('acknowledgements'),
  ]);
  return { newCase, row: newRow(ctx, caseId, newCase), acknowledgementId };
}

/** The case with its acknowledgement, event and first update; its slot is reserved. */
export async function insertNewCase(
  ctx: Context,
  session: Session,
  { newCase, row, acknowledgementId }: PreparedCase,
): Promise<StoredCase> {
  const { first } = newCase;
  await ctx.stores.cases.insert(session, row);
  await ctx.stores.acknowledgements.insert(session, acknowledgementOf(row, acknowledgementId, newCase));
  await ctx.outbox.add(session, 'case.created', `case/${row._id}`, {
    ...caseStateOf(row),
    first_check: first.first_check,
    baseline: first.seen?.baseline ?? null,
    respond_by: row.respond_by,
  });
  return { row, update: await insertFirstUpdate(ctx, session, row, first) };
}

/** A first status that asks for an answer stands in the list of changes: its deadline runs. */
async function insertFirstUpdate(ctx: Context, session: Session, row: CaseRow, { seen }: FirstCheckResult) {
  if (seen === null) return null;
  const { partner_id } = row;
  const { urgent } = seen.observed;
  const isOpen = partner_id !== null && asksForAnswer(seen.observed);
  return await ctx.stores.statusUpdates.insert(session, {
    id: seen.baseline.status_update_id,
    caseId: row._id,
    observed: seen.observed,
    channel: firstChannelState('baseline'),
    change: isOpen
      ? newChange({ partner_id, at: await databaseTime(ctx.db), urgent, already_open: true })
      : null,
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
    assignee_id: null,
    reference: null,
    active: true,
    version: 1,
    created_at: now,
    updated_at: now,
    last_checked: first.checked_at,
    update_count: seen === null ? 0 : 1,
    changed_at: null,
    latest_update: seen && { id: seen.baseline.status_update_id, ...seen.observed },
    ...storedDates({ respond_by: seen && respondByOf(seen.observed), respond_done: null }),
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
    ...acknowledgedBy,
    user_id: row.user_id,
    receipt_number: row.receipt_number,
  };
}
