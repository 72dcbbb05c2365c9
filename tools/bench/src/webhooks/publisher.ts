import { randomUUID } from 'node:crypto';
import { type Bus, newContext } from '@casewatch/platform';
import { jetstream } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { monotonicMs } from './monotonic.ts';

/** When each event was published, ms, by the id that endpoints receive. */
export type Published = Map<string, number>;

type Plan = { count: number; partners: number; perSecond?: number };

/** Publications without an answer of the stream. */
const maxInFlight = 256;
let lastUserId = 0;

/** Publishes `user.deleted` events to the stream, for the partners 1 to `partners` in turn. */
export function createPublisher(bus: Bus) {
  const stream = jetstream(bus.connection, { timeout: 10_000 });

  async function publishOne(partnerId: number, published: Published): Promise<void> {
    const id = randomUUID();
    const hdrs = headers();
    const { request_id, traceparent } = newContext();
    hdrs.set('x-request-id', request_id);
    hdrs.set('traceparent', traceparent);
    lastUserId += 1;
    const event = {
      specversion: '1.0',
      id,
      source: '/casewatch/identity',
      type: 'user.deleted',
      subject: `user/${lastUserId}`,
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      data: { user_id: lastUserId, partner_id: partnerId, version: 2 },
    };
    published.set(`evt_${id}`, monotonicMs());
    await stream.publish(event.type, JSON.stringify(event), { msgID: id, headers: hdrs });
  }

  return async ({ count, partners, perSecond = Number.POSITIVE_INFINITY }: Plan): Promise<Published> => {
    const published: Published = new Map();
    const inFlight = new Set<Promise<void>>();
    const start = monotonicMs();
    for (let i = 0; i < count; i++) {
      const waitMs = start + (i * 1_000) / perSecond - monotonicMs();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (inFlight.size >= maxInFlight) await Promise.race(inFlight);
      const publication = publishOne((i % partners) + 1, published).finally(() =>
        inFlight.delete(publication),
      );
      inFlight.add(publication);
    }
    await Promise.all(inFlight);
    return published;
  };
}
