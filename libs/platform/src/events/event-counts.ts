/**
 * What became of an event that a consumer got, or that was tried again. `not yet`, `failed`: it has a row and is tried again.
 * `dead`: it is not. `owned`: it came again, and its row stays.
 */
export type Outcome = 'done' | 'away' | 'not yet' | 'failed' | 'dead' | 'owned';

export type EventCounts = ReturnType<typeof createEventCounts>;

/** Events that this process has handled, by consumer and outcome. Metrics can be off; these counts are for operators. */
export function createEventCounts() {
  const consumers = new Map<string, Map<Outcome, number>>();
  return {
    add(consumer: string, outcome: Outcome): void {
      const counts = consumers.get(consumer) ?? new Map<Outcome, number>();
      consumers.set(consumer, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
    },
    of: (consumer: string) =>
      [...(consumers.get(consumer) ?? [])].map(([outcome, count]) => ({ outcome, count })),
  };
}
