import { type Fault, NO_FAULT } from './fault.ts';
import { createDayQuota, createSpikeArrest, type DayQuota, type SpikeArrest } from './gauges.ts';
import type { Limits } from './limits.ts';
import { presentCase } from './present-case.ts';
import type { ServedCase } from './served-case.ts';
import { stagingCases } from './staging-cases.ts';
import { TOKENS_AS_NEW, type TokenRow, type TokenSettings } from './token-settings.ts';

/** One request for a case: written at arrival; `status` is 0 until (and unless) it is answered. */
export interface LedgerRow {
  time: string;
  receipt: string;
  status: number;
  fault: string | null;
  /** The same moment by the clock that the spike arrest goes by, ms. */
  monotonic_ms: number;
  /** Number of the token it came with, in the order of issue; null for none of ours. */
  token: number | null;
}

/** One change of what is served for a receipt; `served` null = 404 from then on. */
export interface Transition {
  time: string;
  receipt: string;
  action: 'put' | 'advance' | 'delete';
  served: ServedCase | null;
}

/** All the government stand-in knows. */
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

/** The world as new: staging receipts, given limits, no fault, nothing asked yet. */
export function newWorld(limits: Limits): World {
  return {
    cases: stagingCases(),
    limits,
    fault: NO_FAULT,
    refusals: 0,
    ledger: [],
    tokenSettings: TOKENS_AS_NEW,
    tokenRequests: [],
    transitions: [],
    spikeArrest: createSpikeArrest(),
    quota: createDayQuota(),
  };
}

/**
 * Changes what is served and writes the transition down.
 * @returns the transition, or null when what is served stays byte for byte the same
 */
export function changeCase(world: World, change: Omit<Transition, 'time'>, at: Date): Transition | null {
  const { receipt, served } = change;
  const before = world.cases.get(receipt);
  const seen = (state: ServedCase | null | undefined) => (state ? presentCase(receipt, state) : null);
  if (seen(before) === seen(served)) return null;
  if (served === null) world.cases.delete(receipt);
  else world.cases.set(receipt, served);
  const transition = { time: at.toISOString(), ...change };
  world.transitions.push(transition);
  return transition;
}
