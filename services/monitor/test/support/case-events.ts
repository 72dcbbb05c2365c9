import type { Baseline, CaseReference, EventData, ReplyData } from '@casewatch/contracts';
import { type WaitOptions, waitFor } from '@casewatch/testing';
import type { World } from './world.ts';

let lastId = 100;

/** A case of its own over a receipt. */
export function someCase(receipt_number: string): CaseReference {
  const id = ++lastId;
  return {
    id,
    user_case_id: `FLOW${String(id).padStart(7, '0')}`,
    receipt_number,
    user_id: 1,
    partner_id: 1,
  };
}

type Seen = Extract<ReplyData<'monitor.check'>, { outcome: 'seen' }>;

/** Asks `monitor.check` as cases does. */
export function check(
  world: World,
  receipt_number: string,
  max_age_s = 0,
): Promise<ReplyData<'monitor.check'>> {
  const caller = { partner_id: 1, user_id: null };
  return world.cases.bus.request('monitor.check', { receipt_number, caller, max_age_s });
}

/** Waits until a replica sends: it answers a live check. */
export async function senderAnswers(
  world: World,
  waiting: WaitOptions = {},
  receipt = 'EAC9999103403',
): Promise<void> {
  await waitFor(() => check(world, receipt).catch(() => null), { what: 'a sender', ...waiting });
}

/** The same, for a receipt that is seen. */
export async function checkSeen(world: World, receiptNumber: string, maxAgeS = 0): Promise<Seen> {
  const reply = await check(world, receiptNumber, maxAgeS);
  if (reply.outcome !== 'seen') throw new Error(`the check's outcome was ${reply.outcome}`);
  return reply;
}

export function baselineOf({ status_update_id, observation, facts_hash }: Seen): Baseline {
  return { status_update_id, observation, facts_hash };
}

/** `case.created` of a case that saw `baseline`, or nothing for the reason `first_check`. */
export function created(
  reference: CaseReference,
  baseline: Baseline | null,
  first_check: EventData<'case.created'>['first_check'] = 'seen',
): EventData<'case.created'> {
  return {
    case: reference,
    watched: true,
    active: true,
    version: 1,
    first_check,
    baseline,
    respond_by: null,
  };
}

/** Checks a receipt until it is seen. On a busy machine a check may be too late for its deadline: it is asked for again. */
export async function checkUntilSeen(world: World, receiptNumber: string): Promise<Seen> {
  const checked = () =>
    checkSeen(world, receiptNumber).catch((error: { code?: string }) => {
      if (error.code !== 'uscis_unavailable') throw error;
      return null;
    });
  return await waitFor(checked, { what: 'a check that sees the receipt' });
}

/** Checks a receipt and begins to watch it with a new case, as a partner's create does. */
export async function watch(world: World, receiptNumber: string): Promise<CaseReference> {
  const reference = someCase(receiptNumber);
  const seen = await checkUntilSeen(world, receiptNumber);
  await world.publish('case.created', created(reference, baselineOf(seen)));
  return reference;
}

/** The updates that one case got. */
export function updatesOf(world: World, { id }: CaseReference) {
  return world.updates.filter((update) => update.case.id === id);
}

/** Waits until the receipt was asked for so many times more, the answers written. */
export async function rounds({ government }: World, receipt: string, count: number): Promise<void> {
  const before = (await government.ledger(receipt)).length;
  const isDone = async () => (await government.ledger(receipt)).length >= before + count + 1;
  // The plan shares the quota among the receipts of all tests.
  await waitFor(isDone, { timeoutMs: 60_000, what: 'the next checks of the receipt' });
}
