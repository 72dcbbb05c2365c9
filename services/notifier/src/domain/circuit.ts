import type { Outcome } from './outcome.ts';
import { shortError } from './short-error.ts';

export type Circuit = {
  /** Messages that may go now: all, none, or one probe. */
  admits(nowMs: number): number;
  started(nowMs: number): void;
  /** Judges an outcome; the result counts. A relay that refuses everyone is set up wrongly. */
  record(outcome: Outcome, at: { nowMs: number; recipient: string }): Outcome;
  /** Time until a probe may go, ms. */
  remainingMs(nowMs: number): number;
};

const configurationPauseMs = 10_000;
const openMs = 30_000;
const configurationLimit = 5;
const transientLimit = 20;
const transientWindowMs = 60_000;
/** A probe without an outcome is forgotten after this time, ms. */
const probeMs = 60_000;
/** So many different recipients in a row refused by policy (5.7.x) are a fault of ours. */
const policyLimit = 10;

/** Pauses a scope after faults; then one probe decides whether it closes (notifier.md, Sending). */
export function createCircuit(scale: number): Circuit {
  let isPaused = false;
  let openUntilMs = 0;
  let probeUntilMs = 0;
  let configurations = 0;
  let failures: number[] = [];
  let tripped = false;
  const refused = new Set<string>();

  function open(ms: number, nowMs: number): void {
    isPaused = true;
    probeUntilMs = 0;
    openUntilMs = nowMs + ms * scale;
  }

  function close(): void {
    isPaused = false;
    tripped = false;
    configurations = 0;
    failures = [];
  }

  function judged(outcome: Outcome, recipient: string): Outcome {
    if (outcome.kind !== 'permanent' || !outcome.isPolicy) {
      if (outcome.kind === 'accepted') refused.clear();
      return outcome;
    }
    refused.add(recipient);
    if (refused.size < policyLimit) return outcome;
    return {
      kind: 'configuration',
      error: shortError('smtp_policy', 'the mail server refuses every recipient'),
    };
  }

  return {
    admits(nowMs) {
      if (!isPaused) return Number.POSITIVE_INFINITY;
      if (nowMs < openUntilMs || nowMs < probeUntilMs) return 0;
      return 1;
    },
    started(nowMs) {
      if (isPaused) probeUntilMs = nowMs + probeMs * scale;
    },
    record(outcome, { nowMs, recipient }) {
      const result = judged(outcome, recipient);
      // It says nothing of the provider: if it was the probe, another message is.
      if (result.kind === 'held') probeUntilMs = 0;
      else if (result.kind === 'configuration') {
        configurations += 1;
        tripped ||= configurations >= configurationLimit;
        open(tripped ? openMs : configurationPauseMs, nowMs);
      } else if (result.kind === 'transient' || result.kind === 'ambiguous') {
        // A server that hangs is as good as none.
        failures = [...failures, nowMs].slice(-transientLimit);
        const isFull = failures.length === transientLimit;
        tripped ||= isFull && nowMs - (failures[0] ?? 0) <= transientWindowMs;
        if (tripped || isPaused) open(openMs, nowMs);
      } else if (!(result.kind === 'permanent' && result.isPolicy)) close();
      return result;
    },
    remainingMs: (nowMs) => Math.max(0, openUntilMs - nowMs, probeUntilMs - nowMs),
  };
}
