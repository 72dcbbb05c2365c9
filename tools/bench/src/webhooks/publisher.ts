import { randomUUID } from 'node:crypto';
import type { Bus } from '@casewatch/platform';
import { publishToStream } from '@casewatch/testing';
import { monotonicMs } from './monotonic.ts';

/** When each event was published, ms, by the id that endpoints receive. */
export type Published = Map<string, number>;

/** Partners from `firstPartner` on get the events in turn. */
export type Plan = { count: number; partners: number; firstPartner?: number; perSecond?: number };

/** Publications without an answer of the stream. */
const maxInFlight = 256;

/** Publishes `user.deleted` events to the stream. */
export function createPublisher(bus: Bus) {
  let lastUserId = 0;

  async function publishOne(partner_id: number, published: Published): Promise<void> {
    lastUserId += 1;
    const data = { user_id: lastUserId, partner_id, version: 2 };
    const id = randomUUID();
    published.set(`evt_${id}`, monotonicMs());
    await publishToStream(bus, 'user.deleted', data, id);
  }

  return async ({
    count,
    partners,
    firstPartner = 1,
    perSecond = Number.POSITIVE_INFINITY,
  }: Plan): Promise<Published> => {
    const published: Published = new Map();
    const inFlight = new Set<Promise<void>>();
    const start = monotonicMs();
    for (let i = 0; i < count; i++) {
      const waitMs = start + (i * 1_000) / perSecond - monotonicMs();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (inFlight.size >= maxInFlight) await Promise.race(inFlight);
      const publication = publishOne(firstPartner + (i % partners), published).finally(() =>
        inFlight.delete(publication),
      );
      inFlight.add(publication);
    }
    await Promise.all(inFlight);
    return published;
  };
}
