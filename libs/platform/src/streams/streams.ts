import { consumersOf, deadLetterStreamOf, type ServiceName, streamsOf } from '@casewatch/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Bus } from '../bus/bus.ts';
import { unlessMissing } from './declare-streams.ts';

/**
 * The streams and consumers of a service that are missing, or that do not yet carry every event type of this release;
 * empty once declare-streams has run.
 */
export async function undeclared(service: ServiceName, bus: Bus, timeoutMs: number): Promise<string[]> {
  const manager = await jetstreamManager(bus.connection, { timeout: timeoutMs, checkAPI: false });
  const consumers = consumersOf(service);
  const { name, subject, replaySubject } = deadLetterStreamOf(service);
  const dead = consumers.length > 0 ? [{ name, subjects: [subject, replaySubject] }] : [];
  const looks = [
    ...[...streamsOf(service), ...dead].map(async (stream) => {
      const info = await unlessMissing(manager.streams.info(stream.name));
      return holdsAll(info?.config.subjects, stream.subjects) ? [] : [stream.name];
    }),
    ...consumers.map(async ({ stream, durable, subjects }) => {
      const info = await unlessMissing(manager.consumers.info(stream, durable));
      return holdsAll(info?.config.filter_subjects, subjects) ? [] : [durable];
    }),
  ];
  return (await Promise.all(looks)).flat();
}

function holdsAll(held: readonly string[] | undefined, wanted: readonly string[]): boolean {
  return held !== undefined && wanted.every((subject) => held.includes(subject));
}
