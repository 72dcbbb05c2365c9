import { createDayQuota, createSpikeArrest, type DayQuota, type SpikeArrest } from './counters.ts';
import { type Fault, NO_FAULT } from './fault.ts';
import type { Limits } from './limits.ts';
import { presentCase } from './present-case.ts';
import type { ServedCase } from './served-case.ts';
import { stagingCases } from './staging-cases.ts';
import { type TokenRow, type TokenSettings, tokenBody } from './tokens.ts';
import type { Verbatim } from './verbatim.ts';

/** A request for a case, written at arrival; `status` is 0 until it is answered. */
export interface LedgerRow {
  time: string;
  receipt: string;
  status: number;
  fault: string | null;
  /** The same moment on the monotonic clock of the spike arrest, ms. */
  monotonic_ms: number;
  /** Number of its token in the order of issue; null for an unknown token. */
  token: number | null;
}

/** A change of a receipt; `served` null = 404 from then on. `answer`: what is sent instead of it, word for word; null = as before. */
export interface Transition {
  time: string;
  receipt: string;
  action: 'put' | 'advance' | 'delete' | 'answer';
  served: ServedCase | null;
  answer?: Verbatim | null | undefined;
}

export interface World {
  cases: Map<string, ServedCase>;
  /** What is sent word for word, by receipt. */
  answers: Map<string, Verbatim>;
  limits: Limits;
  fault: Fault;
  refusals: number;
  ledger: LedgerRow[];
  tokenSettings: TokenSettings;
  /** What the token endpoint sends word for word. */
  tokenAnswer: Verbatim | null;
  tokenRequests: TokenRow[];
  transitions: Transition[];
  spikeArrest: SpikeArrest;
  quota: DayQuota;
}

export function newWorld(limits: Limits): World {
  return {
    cases: stagingCases(),
    answers: new Map(),
    limits,
    fault: NO_FAULT,
    refusals: 0,
    ledger: [],
    tokenSettings: tokenBody.parse({}),
    tokenAnswer: null,
    tokenRequests: [],
    transitions: [],
    spikeArrest: createSpikeArrest(),
    quota: createDayQuota(),
  };
}

/** Changes what is served. @returns the transition, or null if the served bytes stay the same */
export function changeCase(world: World, change: Omit<Transition, 'time'>, at: Date): Transition | null {
  const before = bytesOf(world, change.receipt);
  applyChange(world, change);
  if (bytesOf(world, change.receipt) === before) return null;
  const transition = { time: at.toISOString(), ...change };
  world.transitions.push(transition);
  return transition;
}

/** A deleted receipt is 404, whatever was to be sent word for word. */
export function applyChange({ cases, answers }: World, change: Omit<Transition, 'time'>): void {
  const { receipt, action, served, answer } = change;
  if (served === null) cases.delete(receipt);
  else cases.set(receipt, served);
  if (action === 'delete' || answer === null) answers.delete(receipt);
  else if (answer) answers.set(receipt, answer);
}

function bytesOf({ cases, answers }: World, receipt: string): string {
  const served = cases.get(receipt);
  return JSON.stringify([served ? presentCase(receipt, served) : null, answers.get(receipt) ?? null]);
}
