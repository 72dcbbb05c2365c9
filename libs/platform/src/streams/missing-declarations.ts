import { consumersOf, type ServiceName, streamsOf } from '@casewatch/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Bus } from '../bus/bus.ts';
import { nullIfNotFound } from './declare-streams.ts';
import { importedApi } from './imported-api.ts';

/** The service's streams and consumers that are missing or lack an event type of this release. */
export async function missingDeclarations(
  service: ServiceName,
  bus: Pick<Bus, 'connection'>,
  timeoutMs: number,
): Promise<string[]> {
  const manager = await jetstreamManager(bus.connection, {
    ...importedApi,
    timeout: timeoutMs,
    checkAPI: false,
  });
  const consumers = consumersOf(service);
  const missing = await Promise.all([
    ...streamsOf(service).map(async (stream) => {
      const info = await nullIfNotFound(manager.streams.info(stream.name));
      return includesAll(info?.config.subjects, stream.subjects) ? [] : [stream.name];
    }),
    ...consumers.map(async ({ stream, durable, subjects }) => {
      const info = await nullIfNotFound(manager.consumers.info(stream, durable));
      return includesAll(info?.config.filter_subjects, subjects) ? [] : [durable];
    }),
  ]);
  return missing.flat();
}

function includesAll(actual: readonly string[] | undefined, required: readonly string[]): boolean {
  return actual !== undefined && required.every((subject) => actual.includes(subject));
}
