import { type EventType, events, serviceNames, streamsOf } from '@casewatch/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { unlessMissing } from './declare-streams.ts';
import { messagesOf } from './messages.ts';

const timeoutMs = 10_000;

/**
 * The users whose deletion the stream still tells of (7 days). A restore applies these deletions again. Needs the NATS user
 * `operator`. @returns null where the stream is lost
 */
export async function deletedUsers(connection: NatsConnection): Promise<number[] | null> {
  const type = 'user.deleted' satisfies EventType;
  const { stream, schema } = events[type];
  const manager = await jetstreamManager(connection, { timeout: timeoutMs });
  if (!(await unlessMissing(manager.streams.info(stream)))) return null;
  const found = new Set<number>();
  for await (const message of messagesOf(manager, { stream, subject: type }))
    found.add(schema.parse(message.json<{ data: unknown }>().data).user_id);
  return [...found];
}

/**
 * Deletes every stream of events, with its consumers: declared again, it is filled from the outboxes, and consumers begin at
 * its start. Dead letters stay, as no outbox has them. Needs the NATS user `operator`. @returns the names
 */
export async function deleteEventStreams(connection: NatsConnection): Promise<string[]> {
  const manager = await jetstreamManager(connection, { timeout: timeoutMs });
  const deleted: string[] = [];
  for (const { name } of serviceNames.flatMap(streamsOf))
    if (await unlessMissing(manager.streams.delete(name))) deleted.push(name);
  return deleted;
}
