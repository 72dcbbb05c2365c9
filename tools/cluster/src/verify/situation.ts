import type { Situation } from './check.ts';
import { type Reached, reach } from './reach.ts';
import type { Settings } from './settings.ts';

/** The system is reached for when the first check wants it, and once only. */
export function situationOf(settings: Settings): Situation {
  let reached: Promise<Reached> | undefined;
  const started = performance.now();
  return {
    settings,
    say: (line) =>
      console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}`),
    reached() {
      reached ??= reach(settings);
      return reached;
    },
  };
}
