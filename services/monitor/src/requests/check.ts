import type { ReplyInput, RequestData } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { TurnRefusedError } from '../clients/uscis.ts';
import type { Context } from '../context.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { DueQueue } from '../loops/due-queue.ts';
import type { Checked, Sender } from '../loops/sender.ts';
import { type Settler, toAnswer } from '../loops/settle.ts';

type Reply = ReplyInput<'monitor.check'>;
type Tools = { sender: Sender; settler: Settler; queue: DueQueue };
type Live = { checked: Checked; receipt: Receipt | null };

const maxTries = 3;

/**
 * Answers `monitor.check`: from store where that is young enough, else live, in the interactive lane. Two who ask for
 * one receipt at once share one request.
 * @returns a handler that throws ApiError uscis_unavailable with the time after which it is worth asking again
 */
export function answerCheck(ctx: Context, { sender, settler, queue }: Tools) {
  const running = new Map<string, Promise<Live>>();

  /** A spike arrest is no answer: who waits gets another turn, at the slower pace. */
  async function askPatiently(receiptNumber: string): Promise<Checked> {
    for (let tries = 1; ; tries++) {
      const checked = await sender.check(receiptNumber, 'interactive');
      const { outcome } = checked;
      if (outcome.outcome !== 'rate_limited' || outcome.kind === 'quota' || tries === maxTries)
        return checked;
    }
  }

  async function askLive(receiptNumber: string): Promise<Live> {
    const checked = await askPatiently(receiptNumber);
    const answer = toAnswer(checked);
    const receipt = answer ? await settler.record(receiptNumber, answer) : null;
    if (answer) queue.drop(receiptNumber);
    return { checked, receipt };
  }

  return async ({ receipt_number, max_age_s }: RequestData<'monitor.check'>): Promise<Reply> => {
    const stored = max_age_s > 0 ? await ctx.stores.receipts.find(receipt_number) : null;
    if (stored && isYoung(stored, max_age_s, ctx.clock.now())) return await fromReceipt(ctx, stored, 'cache');
    const live = running.get(receipt_number) ?? askLive(receipt_number);
    running.set(receipt_number, live);
    try {
      return await fromLive(ctx, await live);
    } catch (error) {
      if (!(error instanceof TurnRefusedError)) throw error;
      throw unavailable(error.message, error.waitMs);
    } finally {
      if (running.get(receipt_number) === live) running.delete(receipt_number);
    }
  };
}

/** A rejected receipt is always asked again: refusing it for what was said once would be final. */
function isYoung({ last_checked, state, facts, not_found }: Receipt, maxAgeS: number, now: Date): boolean {
  if (!last_checked || state === 'rejected' || (!facts && !not_found)) return false;
  return now.getTime() - last_checked.getTime() <= maxAgeS * 1_000;
}

async function fromLive(ctx: Context, { checked: { outcome, checkedAt }, receipt }: Live): Promise<Reply> {
  const checked_at = checkedAt.toISOString();
  switch (outcome.outcome) {
    case 'seen':
      return receipt ? await fromReceipt(ctx, receipt, 'live') : { outcome: 'unreadable', checked_at };
    case 'not_found':
    case 'rejected':
      return { outcome: outcome.outcome, message: outcome.message, checked_at };
    case 'unreadable':
      return { outcome: 'unreadable', checked_at };
    case 'rate_limited':
      throw unavailable('rate limited', 60_000);
    default:
      throw unavailable(outcome.outcome, 30_000);
  }
}

async function fromReceipt(ctx: Context, receipt: Receipt, source: 'live' | 'cache'): Promise<Reply> {
  const checked_at = (receipt.last_checked ?? ctx.clock.now()).toISOString();
  const { facts, facts_hash, observation, not_found } = receipt;
  if (not_found) return { outcome: 'not_found', message: not_found.message, checked_at };
  if (!facts || facts_hash === null) return { outcome: 'unreadable', checked_at };
  const status_update_id = await ctx.ids.next('status_update');
  return { outcome: 'seen', facts, facts_hash, observation, status_update_id, checked_at, source };
}

function unavailable(detail: string, waitMs: number): ApiError {
  return new ApiError('uscis_unavailable', { detail, retryAfterS: Math.max(1, Math.ceil(waitMs / 1_000)) });
}
