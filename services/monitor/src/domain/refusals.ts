import type { Outcome } from './outcome.ts';

/** The last sentence of USCIS by result, for operators (upstream.md, "Everything else"). */
export type Refusals = Partial<Record<Outcome['outcome'], { message: string; at: Date }>>;

export function withRefusal(refusals: Refusals, outcome: Outcome, at: Date): Refusals {
  const message = 'message' in outcome ? outcome.message : null;
  return !message ? refusals : { ...refusals, [outcome.outcome]: { message, at } };
}
