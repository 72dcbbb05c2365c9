import {
  type Answer,
  closed,
  invalidToken,
  malformedReceipt,
  quotaSpent,
  spikeArrested,
  unknownReceipt,
} from './answer.ts';
import { isOpen } from './hours.ts';
import { presentCase } from './present-case.ts';
import { asReceipt } from './receipt.ts';
import type { Tokens } from './tokens.ts';
import type { World } from './world.ts';

/** A request for a case, as it came in; `monotonicMs` is when, by the clock the spike arrest goes by. */
export interface CaseRequest {
  receipt: string;
  authorization: string | undefined;
  at: Date;
  monotonicMs: number;
}

/** What the government answers at this moment: hours, spike arrest, token, quota, form, then the case. */
export function answerCase(world: World, tokens: Tokens, request: CaseRequest): Answer {
  const { limits, spikeArrest, quota } = world;
  if (!isOpen(limits.hours, request.at)) return closed;
  if (!spikeArrest.admit(request.monotonicMs, limits.rate_per_second)) return spikeArrested;
  if (!tokens.accepts(request.authorization, request.at)) return invalidToken;
  if (!quota.take(request.at, limits.daily_quota, limits.quota_tz)) return quotaSpent;
  const receipt = asReceipt(request.receipt);
  if (receipt === null) return malformedReceipt;
  const served = world.cases.get(receipt);
  return served === undefined ? unknownReceipt : { status: 200, body: presentCase(receipt, served) };
}
