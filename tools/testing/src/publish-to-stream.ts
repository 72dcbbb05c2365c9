import { randomUUID } from 'node:crypto';
import type { EventData, EventType } from '@casewatch/contracts';
import { type Bus, newContext } from '@casewatch/platform';
import { jetstream } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';

const timeoutMs = 10_000;

/** Publishes an event to its stream without an outbox, with the rights of its owner. @returns the event's id */
export async function publishToStream<T extends EventType>(
  bus: Bus,
  type: T,
  data: EventData<T>,
  id: string = randomUUID(),
  time = new Date(),
): Promise<string> {
  const { request_id, traceparent } = newContext();
  const hdrs = headers();
  hdrs.set('x-request-id', request_id);
  hdrs.set('traceparent', traceparent);
  const event = {
    specversion: '1.0',
    id,
    source: `/casewatch/${bus.service}`,
    type,
    subject: 'test/1',
    time: time.toISOString(),
    datacontenttype: 'application/json',
    data,
  };
  const options = { msgID: id, headers: hdrs };
  await jetstream(bus.connection, { timeout: timeoutMs }).publish(type, JSON.stringify(event), options);
  return id;
}
