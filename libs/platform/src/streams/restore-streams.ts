import { type EventData, type EventType, events, serviceNames, streamsOf } from '@casewatch/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { nullIfNotFound } from './declare-streams.ts';
import { messagesOf } from './messages.ts';

const timeoutMs = 10_000;
const type = 'erasure.recorded' satisfies EventType;
const { stream: erasedStream, schema } = events[type];

export type RecordedErasure = EventData<typeof type>;

/** The recorded erasures of 400 days, which a restore applies again; null if the stream is lost. For `operator`. */
export async function recordedErasures(connection: NatsConnection): Promise<RecordedErasure[] | null> {
  const manager = await jetstreamManager(connection, { timeout: timeoutMs });
  if (!(await nullIfNotFound(manager.streams.info(erasedStream)))) return null;
  const erasures = new Map<number, RecordedErasure>();
  for await (const message of messagesOf(manager, { stream: erasedStream, subject: type })) {
    const erasure = schema.parse(message.json<{ data: unknown }>().data);
    erasures.set(erasure.user_id, erasures.get(erasure.user_id) ?? erasure);
  }
  return [...erasures.values()];
}

/**
 * The outboxes fill the declared streams again. The erasures stay, because a restored outbox does not have all: only the
 * consumers of that stream go, so that each service applies them again. For
 * `operator`. Returns the names of the deleted streams.
 */
export async function deleteEventStreams(connection: NatsConnection): Promise<string[]> {
  const manager = await jetstreamManager(connection, { timeout: timeoutMs });
  const deleted: string[] = [];
  for (const { name } of serviceNames.flatMap(streamsOf))
    if (name !== erasedStream && (await nullIfNotFound(manager.streams.delete(name)))) deleted.push(name);
  if (await nullIfNotFound(manager.streams.info(erasedStream)))
    for await (const { name } of manager.consumers.list(erasedStream))
      await nullIfNotFound(manager.consumers.delete(erasedStream, name));
  return deleted;
}
