import { createDayQuota, createSpikeArrest, type DayQuota, type SpikeArrest } from './counters.ts';
import { type Fault, NO_FAULT } from './fault.ts';
import type { Limits } from './limits.ts';
import { presentCase } from './present-case.ts';
import type { ServedCase } from './served-case.ts';
import { stagingCases } from './staging-cases.ts';
import { type TokenRow, type TokenSettings, tokenBody } from './tokens.ts';

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

/** A change of a receipt; `served` null = 404 from then on. */
export interface Transition {
  time: string;
  receipt: string;
  action: 'put' | 'advance' | 'delete';
  served: ServedCase | null;
}

export interface World {
  cases: Map<string, ServedCase>;
  limits: Limits;
  fault: Fault;
  refusals: number;
  ledger: LedgerRow[];
  tokenSettings: TokenSettings;
  tokenRequests: TokenRow[];
  transitions: Transition[];
  spikeArrest: SpikeArrest;
  quota: DayQuota;
}

export function newWorld(limits: Limits): World {
  return {
    cases: stagingCases(),
    limits,
    fault: NO_FAULT,
    refusals: 0,
    ledger: [],
    tokenSettings: tokenBody.parse({}),
    tokenRequests: [],
    transitions: [],
    spikeArrest: createSpikeArrest(),
    quota: createDayQuota(),
  };
}

/** Changes what is served. @returns the transition, or null if the served bytes stay the same */
export function changeCase(world: World, change: Omit<Transition, 'time'>, at: Date): Transition | null {
  const { receipt, served } = change;
  const before = world.cases.get(receipt);
  const bodyOf = (state: ServedCase | null | undefined) => (state ? presentCase(receipt, state) : null);
  if (bodyOf(before) === bodyOf(served)) return null;
  if (served === null) world.cases.delete(receipt);
  else world.cases.set(receipt, served);
  const transition = { time: at.toISOString(), ...change };
  world.transitions.push(transition);
  return transition;
}
