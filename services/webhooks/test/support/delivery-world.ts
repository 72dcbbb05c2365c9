import type { Delivery } from '@casewatch/contracts';
import { startMongo, startNats, type TestNats, waitFor } from '@casewatch/testing';
import { type Received, type Receiver, startReceiver } from './receiver.ts';
import { type Siblings, startSiblings } from './siblings.ts';
import { startTestWebhooks, type TestWebhooks } from './start-webhooks.ts';

/** The service with everything around it: servers, siblings on the bus, a receiver outside. */
export type World = {
  service: TestWebhooks;
  siblings: Siblings;
  receiver: Receiver;
  nats: TestNats;
  /** Makes an endpoint at a hook of the receiver, which knows its secret. */
  subscribe(partnerId: number, hook: string, more?: object): Promise<number>;
  /** Waits until a hook has that many calls. */
  arrived(hook: string, count: number): Promise<Received[]>;
  /** Waits until the newest delivery of an endpoint is as wanted. */
  delivery(partnerId: number, webhookId: number, isWanted: (row: Delivery) => boolean): Promise<Delivery>;
  stop(): Promise<void>;
};

type Options = { totalMs?: number; env?: Record<string, string>; replicas?: number };

/** `service` is the first of the replicas. */
export async function startWorld({ replicas = 1, ...options }: Options = {}): Promise<World> {
  const [mongo, nats, receiver] = await Promise.all([startMongo(), startNats(), startReceiver()]);
  const siblings = await startSiblings(nats);
  const service = await startTestWebhooks({ mongo, nats, ...options });
  const others = await Promise.all(
    Array.from({ length: replicas - 1 }, () => startTestWebhooks({ mongo, nats, ...options })),
  );
  return {
    service,
    siblings,
    receiver,
    nats,
    async subscribe(partnerId, hook, more = {}) {
      const body = { url: receiver.urlOf(hook), events: ['*'], ...more };
      const { body: answer } = await service.call(partnerId, 'POST', '/v1/webhooks', body);
      if (!answer.webhook) throw new Error(`not subscribed: ${answer.message}`);
      await receiver.configure(hook, { secret: answer.webhook.secret });
      return answer.webhook.id;
    },
    arrived: (hook, count) =>
      waitFor(
        async () => {
          const calls = await receiver.calls(hook);
          return calls.length >= count && calls;
        },
        { what: `call ${count} at ${hook}` },
      ),
    delivery: (partnerId, webhookId, isWanted) =>
      waitFor(
        async () => {
          const path = `/v1/webhooks/${webhookId}/deliveries?limit=1`;
          const { body } = await service.call(partnerId, 'GET', path);
          const [newest] = body.deliveries ?? [];
          return newest && isWanted(newest) ? newest : null;
        },
        { what: 'the delivery', timeoutMs: 60_000 },
      ),
    async stop() {
      // The receiver too: a replica waits for its attempts, and this ends those that hang.
      await Promise.all([receiver, service, ...others].map(({ stop }) => stop()));
      await siblings.stop();
      await Promise.all([mongo.stop(), nats.stop()]);
    },
  };
}
