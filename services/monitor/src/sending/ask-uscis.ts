import type { HttpAnswer } from '../clients/http-answer.ts';
import { readAnswer } from '../clients/read-answer.ts';
import { MissedSlotError, type Uscis } from '../clients/uscis.ts';
import { TokenRefusedError } from '../clients/uscis-token.ts';
import { isAboutReceipt, type Outcome } from '../domain/outcome.ts';
import type { SendPermit } from './pacer.ts';

/** A time limit for several pieces of work. */
export type TimeLeft = { leftMs: number };

/** Time for tokens and requests of one check (monitor.md, Budget), ms. */
export const workMs = 6_000;

type Options = {
  /** `isRetry`: a request of this check was sent before. */
  nextPermit(isRetry: boolean, maxWaitMs: number): Promise<SendPermit>;
  work?: TimeLeft;
  wait?: TimeLeft;
};

/** Takes another permit where a slot was missed. After a 401 asks once more with a new token. @throws the errors of `nextPermit` */
export async function askUscis(
  uscis: Uscis,
  receiptNumber: string,
  { nextPermit, work = { leftMs: workMs }, wait = { leftMs: Number.POSITIVE_INFINITY } }: Options,
): Promise<{ outcome: Outcome; sent: number }> {
  let sent = 0;
  const failed = (reason: string) => ({ outcome: { outcome: 'failed' as const, reason }, sent });
  for (let isRetry = false; work.leftMs > 0; ) {
    const token = await within(work, uscis.token);
    if (token instanceof Error) return { outcome: outcomeOf(token, receiptNumber), sent };
    const permit = await within(wait, (maxWaitMs) => nextPermit(isRetry, maxWaitMs));
    if (permit instanceof Error && !isRetry) throw permit;
    if (permit instanceof Error) return failed('no permit for the retry after a 401');
    const call = { token, mayWrite: permit.mayWrite };
    const answer = await within(work, (timeoutMs) => uscis.get(receiptNumber, { ...call, timeoutMs }));
    permit.release();
    if (answer instanceof MissedSlotError) continue;
    sent = permit.sent;
    const outcome = outcomeOf(answer, receiptNumber);
    if (outcome.outcome !== 'unauthorised' || isRetry) return { outcome, sent };
    uscis.discardToken(token);
    isRetry = true;
  }
  return failed('time-out');
}

/** Keeps only the kind of an error: its message may quote the answer. */
function outcomeOf(answer: HttpAnswer | Error, receiptNumber: string): Outcome {
  if (!(answer instanceof Error)) return readAnswer(answer, receiptNumber);
  if (answer instanceof TokenRefusedError) {
    const refusal = readAnswer(answer.answer, receiptNumber);
    // A 404 or 422 of the token endpoint says nothing about the receipt.
    return isAboutReceipt(refusal) ? { outcome: 'failed', reason: answer.message } : refusal;
  }
  return { outcome: 'failed', reason: 'code' in answer ? String(answer.code) : answer.name };
}

/** Returns an error, and takes the time that the work needed from `time`. */
async function within<T>(time: TimeLeft, work: (leftMs: number) => Promise<T>): Promise<T | Error> {
  const startedMs = performance.now();
  try {
    return await work(Math.max(Math.ceil(time.leftMs), 1));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    time.leftMs -= performance.now() - startedMs;
  }
}
