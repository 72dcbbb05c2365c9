import { type HttpAnswer, readAnswer } from '../clients/read-answer.ts';
import type { Uscis } from '../clients/uscis.ts';
import { MissedSlotError } from '../clients/uscis-http.ts';
import { TokenRefusedError } from '../clients/uscis-token.ts';
import type { Outcome } from '../domain/outcome.ts';
import { type SendPermit, SendRefusedError } from './send-permit.ts';
import { createStopwatch, type Stopwatch } from './stopwatch.ts';

/** Time for tokens and requests of one check (monitor.md, Budget), ms. */
export const workMs = 6_000;
/** Only a process without CPU time misses so many slots. */
const maxPermits = 20;

/** `isRepeated`: a request of this check was sent before. */
type Options = { nextPermit(isRepeated: boolean): Promise<SendPermit>; work?: Stopwatch };

/** After a 401 asks once more with a new token. Waits for permits do not count as `work`. @throws the errors of `nextPermit` */
export async function askUscis(
  uscis: Uscis,
  receiptNumber: string,
  { nextPermit, work = createStopwatch(workMs) }: Options,
): Promise<{ outcome: Outcome; sent: number }> {
  let refusals = 0;
  let sent = 0;
  for (let permits = 0; permits < maxPermits; permits++) {
    if (work.leftMs <= 0) return { outcome: { outcome: 'failed', reason: 'time-out' }, sent };
    const token = await caught(work.measure((leftMs) => uscis.token(leftMs)));
    if (token instanceof Error) return { outcome: outcomeOf(token, receiptNumber), sent };
    const permit = await caught(nextPermit(sent > 0));
    if (permit instanceof Error) {
      if (sent === 0) throw permit;
      return { outcome: { outcome: 'failed', reason: 'no permit for the retry after a 401' }, sent };
    }
    const call = { token, mayWrite: permit.mayWrite };
    const answer = await caught(
      work.measure((timeoutMs) => uscis.get(receiptNumber, { ...call, timeoutMs })),
    );
    permit.release();
    if (answer instanceof MissedSlotError) continue;
    sent = permit.sent;
    const outcome = outcomeOf(answer, receiptNumber);
    if (outcome.outcome !== 'unauthorised' || ++refusals === 2) return { outcome, sent };
    uscis.discardToken(token);
  }
  throw new SendRefusedError('all slots were missed', 1_000);
}

/** Keeps only the kind of an error: its message may quote the answer. */
function outcomeOf(answer: HttpAnswer | Error, receiptNumber: string): Outcome {
  if (!(answer instanceof Error)) return readAnswer(answer, receiptNumber);
  if (answer instanceof TokenRefusedError) return readAnswer(answer.answer, receiptNumber);
  return { outcome: 'failed', reason: 'code' in answer ? String(answer.code) : answer.name };
}

async function caught<T>(work: Promise<T>): Promise<T | Error> {
  try {
    return await work;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
