import { type EventType, events, serviceNames, streamsOf } from '@casewatch/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { nullIfNotFound } from './declare-streams.ts';
import { messagesOf } from './messages.ts';

const timeoutMs = 10_000;

/** Users with a stored `user.deleted` (7 days), which a restore deletes again; null if the stream is lost. For `operator`. */
export async function deletedUsers(connection: NatsConnection): Promise<number[] | null> {
  const type = 'user.deleted' satisfies EventType;
  const { stream, schema } = events[type];
  const manager = await jetstreamManager(connection, { timeout: timeoutMs });
  if (!(await nullIfNotFound(manager.streams.info(stream)))) return null;
  const userIds = new Set<number>();
  for await (const message of messagesOf(manager, { stream, subject: type }))
    userIds.add(schema.parse(message.json<{ data: unknown }>().data).user_id);
  return [...userIds];
}

/** The outboxes fill the declared streams again. Dead letters stay, because no outbox has them. For `operator`. Returns the names. */
export async function deleteEventStreams(connection: NatsConnection): Promise<string[]> {
  const manager = await jetstreamManager(connection, { timeout: timeoutMs });
  const deleted: string[] = [];
  for (const { name } of serviceNames.flatMap(streamsOf))
    if (await nullIfNotFound(manager.streams.delete(name))) deleted.push(name);
  return deleted;
}
