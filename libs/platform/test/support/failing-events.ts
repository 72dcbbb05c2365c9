import { randomUUID } from 'node:crypto';
import { type EventType, type ServiceName, subscriptionsOf } from '@casewatch/contracts';
import type { EventHandlers } from '@casewatch/platform';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import type { TestBases } from './start-bases.ts';

/** Handlers that do nothing for every event of a service, but those given. */
export function handlersWith(service: ServiceName, own: EventHandlers): EventHandlers {
  const types = subscriptionsOf(service).flatMap(({ types }) => types);
  return { ...Object.fromEntries(types.map((type) => [type, async () => undefined])), ...own };
}

export function eventOf(type: EventType, data: object, id: string = randomUUID()) {
  const time = new Date().toISOString();
  const about = { subject: 'user/1', time, datacontenttype: 'application/json' };
  return { specversion: '1.0', id, source: '/casewatch/identity', type, ...about, data };
}

/** The user of the account of JetStream, who may publish any event and sees every consumer. */
export async function openOperator({ nats }: TestBases) {
  const connection = await connect({ servers: nats.url, ...nats.operator });
  const manager = await jetstreamManager(connection);
  const stream = jetstream(connection);
  return {
    manager,
    async publish(type: EventType, body: string | object, msgId: string = randomUUID()): Promise<void> {
      const hdrs = headers();
      hdrs.set('Nats-Msg-Id', msgId);
      await stream.publish(type, typeof body === 'string' ? body : JSON.stringify(body), { headers: hdrs });
    },
    async consumer(stream: string, durable: string) {
      return await manager.consumers.info(stream, durable);
    },
    close: () => connection.close(),
  };
}

export type Operator = Awaited<ReturnType<typeof openOperator>>;
