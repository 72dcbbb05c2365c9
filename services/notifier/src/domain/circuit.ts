import type { Outcome } from './outcome.ts';

export type Circuit = {
  allows(nowMs: number): boolean;
  record(kind: Outcome['kind'], nowMs: number): void;
};

const configurationPauseMs = 10_000;
const openMs = 30_000;
const configurationLimit = 5;
const transientLimit = 20;
const transientWindowMs = 60_000;

/** Pauses a channel after faults; one fault after a pause repeats it, a success resets it (notifier.md, Sending). */
export function createCircuit(scale: number): Circuit {
  let openUntilMs = 0;
  let configurations = 0;
  let transients: number[] = [];
  let tripped = false;

  function open(ms: number, nowMs: number): void {
    openUntilMs = nowMs + ms * scale;
  }

  return {
    allows: (nowMs) => nowMs >= openUntilMs,
    record(kind, nowMs) {
      if (kind === 'configuration') {
        configurations += 1;
        tripped ||= configurations >= configurationLimit;
        open(tripped ? openMs : configurationPauseMs, nowMs);
      } else if (kind === 'transient') {
        transients = [...transients, nowMs].slice(-transientLimit);
        tripped ||= transients.length === transientLimit && nowMs - (transients[0] ?? 0) <= transientWindowMs;
        if (tripped) open(openMs, nowMs);
      } else if (kind !== 'ambiguous') {
        // Accepted or refused: the provider works.
        configurations = 0;
        transients = [];
        tripped = false;
      }
    },
  };
}
