import { consumersOf, type ServiceName } from '@casewatch/contracts';
import { type ConsumerInfo, jetstreamManager } from '@nats-io/jetstream';
import type { Bus } from '../bus/bus.ts';
import { importedApi } from '../streams/imported-api.ts';
import type { EventCounts } from './event-counts.ts';

type Options = { service: ServiceName; bus: Bus; counts: EventCounts };

const jetstreamMs = 2_000;

/** Events that wait for each consumer of a service, and the outcomes in this process. */
export async function consumerStates({ service, bus, counts }: Options) {
  const manager = await managerOf(bus);
  return await Promise.all(
    consumersOf(service).map(async ({ stream, durable }) => {
      const info = await manager.consumers.info(stream, durable);
      return {
        name: durable,
        pending: pendingOf(info),
        stalled_seconds: counts.stalledSeconds(info),
        outcomes: counts.of(durable),
      };
    }),
  );
}

/** Events that a consumer has not handled yet. */
export function pendingOf({ num_pending, num_ack_pending }: ConsumerInfo): number {
  return num_pending + num_ack_pending;
}

export function managerOf(bus: Bus) {
  return jetstreamManager(bus.connection, { ...importedApi, timeout: jetstreamMs, checkAPI: false });
}
