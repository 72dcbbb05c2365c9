import type { Express } from 'express';
import { pathText } from '../http/read-request.ts';
import {
  type Answer,
  closed,
  invalidToken,
  malformedReceipt,
  quotaSpent,
  spikeArrested,
  unknownReceipt,
} from './answer.ts';
import { faultFor } from './fault.ts';
import { isOpen } from './hours.ts';
import { presentCase } from './present-case.ts';
import { asReceipt } from './receipt.ts';
import { sendAnswer } from './send-answer.ts';
import type { Tokens } from './tokens.ts';
import { sendVerbatim } from './verbatim.ts';
import type { World } from './world.ts';

/** `GET /case-status/{receipt}`: judged and written to the ledger at arrival; a fault, or an answer word for word, changes only what is sent. */
export function mountCase(app: Express, { tokens, world }: { tokens: Tokens; world: () => World }): void {
  app.get('/case-status/:receipt', async (req, res) => {
    const monotonicMs = performance.now();
    const at = new Date();
    const receipt = pathText(req, 'receipt');
    const authorization = req.get('authorization');
    const present = world();
    const verbatim = present.answers.get(receipt.toUpperCase());
    const fault = verbatim ? null : faultFor(present.fault, receipt);
    const row = {
      time: at.toISOString(),
      receipt,
      status: 0,
      fault: fault?.mode ?? null,
      monotonic_ms: monotonicMs,
      token: tokens.numberOf(authorization),
    };
    present.ledger.push(row);
    const isAccepted = () => tokens.accepts(authorization, at);
    const answer = answerCase(present, { receipt, at, monotonicMs, isAccepted });
    if (verbatim) {
      row.status = verbatim.status;
      return sendVerbatim(res, verbatim);
    }
    await sendAnswer(res, answer, { world: present, row, fault });
  });
}

/** `monotonicMs` is the arrival on the clock of the spike arrest; `isAccepted` says whether the token is valid. */
type CaseRequest = { receipt: string; at: Date; monotonicMs: number; isAccepted: () => boolean };

/** Checks in the government's order: hours, spike arrest, token, quota, form of the number, then the case. */
function answerCase({ limits, spikeArrest, quota, cases }: World, request: CaseRequest): Answer {
  const { at, monotonicMs, isAccepted } = request;
  if (!isOpen(limits.hours, at)) return closed;
  if (!spikeArrest.admit(monotonicMs, limits.rate_per_second)) return spikeArrested;
  if (!isAccepted()) return invalidToken;
  if (!quota.take(at, limits.daily_quota, limits.quota_tz)) return quotaSpent;
  const receipt = asReceipt(request.receipt);
  if (receipt === null) return malformedReceipt;
  const served = cases.get(receipt);
  return served === undefined ? unknownReceipt : { status: 200, body: presentCase(receipt, served) };
}
