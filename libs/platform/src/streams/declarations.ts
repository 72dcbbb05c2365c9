import { consumersOf, keptDaysOf, serviceNames, streamsOf } from '@casewatch/contracts';
import { AckPolicy, DeliverPolicy, DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream';

const second = 1e9;
const minute = 60 * second;
const day = 24 * 60 * minute;

/** Every stream of the event registry: events for 7 days or as their row says. */
export function streamDeclarations(replicas: number) {
  return serviceNames.flatMap(streamsOf).map((stream) => ({
    ...stream,
    max_age: Math.max(...stream.subjects.map((type) => keptDaysOf(type) ?? 7)) * day,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // A full disk stops the relay; no event is dropped.
    discard: DiscardPolicy.New,
    duplicate_window: 10 * minute,
    num_replicas: replicas,
  }));
}

export function consumerDeclarations() {
  return serviceNames.flatMap(consumersOf).map(({ stream, durable, subjects }) => ({
    stream,
    config: {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      ack_wait: 10 * second,
      max_deliver: -1,
      deliver_policy: DeliverPolicy.All,
      filter_subjects: subjects,
      max_ack_pending: 1_000,
    },
  }));
}

export type StreamDeclaration = ReturnType<typeof streamDeclarations>[number];
