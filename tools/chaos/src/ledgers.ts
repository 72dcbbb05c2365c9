/**
 * What should have happened, from outside alone: the answers that callers got, and what the nemesis did. The logs of the stand-ins
 * are read by check.ts. Nothing here comes from a database of Casewatch.
 */

/** Times are ms since 1970, of this process. */
export type TrackedUser = {
  id: number;
  /** Null: a direct user, who signed up without a partner. */
  partner: number | null;
  email: string;
  phone: string | null;
  isVerified: boolean;
  unsubscribedAt?: number;
  /** When the erasure was asked for, and when it was answered 2xx. */
  erasing?: number;
  erasedAt?: number;
};

export type TrackedCase = {
  id: number;
  user: TrackedUser;
  receipt: string;
  createdAt: number;
  pausing?: number;
  pausedAt?: number;
  deleting?: number;
  deletedAt?: number;
};

/** An import that was answered 202. Every row has a receipt of its own; one that is not good is refused. */
export type TrackedImport = {
  id: number;
  partner: number;
  rows: readonly { receipt: string; email: string; isGood: boolean }[];
};

/** A call that got no 2xx. `status` 0: no answer. */
export type FailedCall = {
  what: string;
  startedAt: number;
  ms: number;
  status: number;
  code: string;
  hasRetryAfter: boolean;
  /** Within this time an honest refusal is promised, ms. */
  limitMs: number;
};

export type FaultRecord = {
  number: number;
  kind: string;
  /** Names of members and links. */
  targets: string[];
  startedAt: number;
  healedAt?: number;
  /** How its effect was seen; null: it had none. */
  effect?: string | null;
  recoveredMs?: number;
};

export type Promised = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'rest';

export type Violation = { promise: Promised; text: string; story: string[] };

export type Ledgers = {
  users: TrackedUser[];
  cases: TrackedCase[];
  imports: TrackedImport[];
  /** The receipt of each title that the stand-in was told, by the number in the title. */
  receiptOf: Map<number, string>;
  failedCalls: FailedCall[];
  faults: FaultRecord[];
  violations: Violation[];
  /** Successful operations by name, with their durations, ms. */
  done: Map<string, number[]>;
  /** Once a second: how late this process and a bare HTTP server of the same machine were, ms. */
  noise: { at: number; ms: number }[];
  /** People of the load who could not sign in for 100 s. */
  givenUp: number;
  /** Dead events that poison on the bus causes: one for each service that reads its type. */
  expectedDead: number;
  startedAt: number;
  loadEndedAt: number;
};

export function newLedgers(): Ledgers {
  return {
    users: [],
    cases: [],
    imports: [],
    receiptOf: new Map(),
    failedCalls: [],
    faults: [],
    violations: [],
    done: new Map(),
    noise: [],
    givenUp: 0,
    expectedDead: 0,
    startedAt: Date.now(),
    loadEndedAt: 0,
  };
}

/** A title that no status of USCIS has, so that each change is known wherever it arrives. */
export const titleOf = (step: number): string => `Step ${step} Was Taken`;

const inTitle = /(?:Step|Paso) (\d+) Was Taken/g;

/** The newest step that a text names: a mail also names the one before. */
export function stepIn(text: string): number | undefined {
  const steps = [...text.matchAll(inTitle)].map((match) => Number(match[1]));
  return steps.length === 0 ? undefined : Math.max(...steps);
}

/** Faults between two times, a fault on one of `kinds` or on everything (`*`). */
export function faultsBetween(ledgers: Ledgers, from: number, until: number, kinds: readonly string[]) {
  return ledgers.faults.filter(
    ({ startedAt, healedAt, recoveredMs, targets }) =>
      startedAt <= until &&
      (healedAt ?? Number.POSITIVE_INFINITY) + (recoveredMs ?? 0) >= from &&
      targets.some((target) => target === '*' || kinds.some((kind) => target.startsWith(kind))),
  );
}

export function count(ledgers: Ledgers, what: string, ms: number): void {
  const durations = ledgers.done.get(what) ?? [];
  ledgers.done.set(what, durations);
  durations.push(ms);
}
