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

/**
 * Pauses a channel after configuration faults, and for longer after five of them or 20 transient faults in a minute
 * (notifier.md, Sending). Then one fault more pauses it again, and a success resets it. `scale` multiplies the pauses.
 */
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
