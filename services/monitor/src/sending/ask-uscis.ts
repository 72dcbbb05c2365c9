import { type HttpAnswer, readAnswer } from '../clients/read-answer.ts';
import type { Uscis } from '../clients/uscis.ts';
import { MissedTurnError } from '../clients/uscis-http.ts';
import { KeysRefusedError } from '../clients/uscis-token.ts';
import type { Outcome } from '../domain/outcome.ts';
import { createStopwatch, type Stopwatch } from './stopwatch.ts';
import { type Turn, TurnRefusedError } from './turn.ts';

/** Token and call together (monitor.md, Budget), ms. */
export const workMs = 6_000;
/** So many turns are missed only where the process gets no time at all. */
const maxTurns = 20;

/**
 * Asks for one receipt. `nextTurn` is awaited before each request (a second one follows a 401): what it throws is thrown.
 * Tokens and calls together take at most what `work` has left, waits for turns not counted.
 * @throws TurnRefusedError, also where no turn could be kept
 */
export async function askUscis(
  uscis: Uscis,
  receiptNumber: string,
  { nextTurn, work = createStopwatch(workMs) }: { nextTurn(): Promise<Turn>; work?: Stopwatch },
): Promise<{ outcome: Outcome; sent: number }> {
  let refusals = 0;
  let sent = 0;
  for (let turns = 0; turns < maxTurns; turns++) {
    if (work.leftMs <= 0) return { outcome: { outcome: 'failed', reason: 'time-out' }, sent };
    const token = await caught(work.measure((leftMs) => uscis.token(leftMs)));
    if (token instanceof Error) return { outcome: outcomeOf(token), sent };
    const turn = await caught(nextTurn());
    if (turn instanceof Error) {
      if (sent === 0) throw turn;
      return { outcome: { outcome: 'failed', reason: 'no second turn after a 401' }, sent };
    }
    const call = { token, mayWrite: turn.mayWrite };
    const answer = await caught(
      work.measure((timeoutMs) => uscis.get(receiptNumber, { ...call, timeoutMs })),
    );
    turn.release();
    if (answer instanceof MissedTurnError) continue;
    sent = turn.sent;
    const outcome = outcomeOf(answer);
    if (outcome.outcome !== 'unauthorised' || ++refusals === 2) return { outcome, sent };
    uscis.discardToken(token);
  }
  throw new TurnRefusedError('no turn was kept', 1_000);
}

/** Of a failure the kind alone: a message may quote what it complains of. */
function outcomeOf(answer: HttpAnswer | Error): Outcome {
  if (!(answer instanceof Error)) return readAnswer(answer);
  if (answer instanceof KeysRefusedError) return { outcome: 'unauthorised' };
  return { outcome: 'failed', reason: 'code' in answer ? String(answer.code) : answer.name };
}

/** A failure is returned, not thrown. */
async function caught<T>(work: Promise<T>): Promise<T | Error> {
  try {
    return await work;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
