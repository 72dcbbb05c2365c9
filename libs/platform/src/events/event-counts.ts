import type { ConsumerInfo } from '@nats-io/jetstream';

/**
 * What became of an event that a consumer got, or that was tried again. `not yet`, `failed`: it has a row and is tried again.
 * `dead`: it is not. `owned`: it came again, and its row stays.
 */
export type Outcome = 'done' | 'away' | 'not yet' | 'failed' | 'dead' | 'owned';

export type EventCounts = ReturnType<typeof createEventCounts>;

/** Events that this process has handled, by consumer and outcome. Metrics can be off; these counts are for operators. */
export function createEventCounts() {
  const consumers = new Map<string, Map<Outcome, number>>();
  const waits = new Map<string, Wait>();
  return {
    add(consumer: string, outcome: Outcome): void {
      const counts = consumers.get(consumer) ?? new Map<Outcome, number>();
      consumers.set(consumer, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
    },
    of: (consumer: string) =>
      [...(consumers.get(consumer) ?? [])].map(([outcome, count]) => ({ outcome, count })),
    /**
     * Time for which the consumer has had events and acknowledged none, in no replica, s; 0 while it works or is idle. It begins
     * with the reading that finds it so: without an acknowledgement in between, events waited all the time.
     */
    stalledSeconds({ name, num_pending, num_ack_pending, ack_floor }: ConsumerInfo): number {
      if (num_pending + num_ack_pending === 0) {
        waits.delete(name);
        return 0;
      }
      const lastAck = String(ack_floor.last_active);
      const former = waits.get(name);
      const wait = former?.lastAck === lastAck ? former : { lastAck, sinceMs: performance.now() };
      waits.set(name, wait);
      return (performance.now() - wait.sinceMs) / 1_000;
    },
  };
}

/** `lastAck`: by the stream's server; it is only compared. */
type Wait = { lastAck: string; sinceMs: number };
