import type { Msg, NatsConnection, Subscription, SubscriptionOptions } from '@nats-io/transport-node';
import type { Logger } from '../telemetry/logger.ts';
import { every } from '../timing/every.ts';

/** Pause before a refused subscription is tried again, ms. During a roll-out NATS may have the rights of the other release. */
const refusedRetryMs = 5_000;

/** The subscriptions of one connection. If NATS refuses one of them, the others continue. A stop ends after arrived messages. */
export function createSubscriptions(connection: NatsConnection, isConnected: () => boolean, log: Logger) {
  const stops = new Set<() => Promise<void>>();
  const inProgress = new Set<Promise<void>>();

  function add(
    subject: string,
    options: SubscriptionOptions,
    handle: (message: Msg) => Promise<void>,
  ): () => Promise<void> {
    let subscription: Subscription | undefined;
    async function receiveAll(): Promise<void> {
      subscription = connection.subscribe(subject, options);
      for await (const message of subscription) {
        const work = handle(message);
        inProgress.add(work);
        void work.finally(() => inProgress.delete(work));
      }
    }
    const receiving = every(refusedRetryMs, receiveAll, (error) =>
      log.error({ subject, err: error }, 'NATS refused a subscription; trying again'),
    );
    async function stop(): Promise<void> {
      stops.delete(stop);
      const stopped = receiving.stop();
      if (isConnected() && !subscription?.isClosed()) await subscription?.drain();
      await stopped;
    }
    stops.add(stop);
    return stop;
  }

  async function stopAll(): Promise<void> {
    await Promise.all([...stops].map((stop) => stop()));
  }
  // A closed connection is closed for good: no subscription is tried again.
  void connection.closed().then(stopAll);

  return { add, handled: () => Promise.all(inProgress), stop: stopAll };
}
