import { setTimeout as delay } from 'node:timers/promises';
import {
  type EventData,
  type EventRow,
  type EventType,
  events,
  type ReplyData,
  type ReplyInput,
  type RequestData,
  type RequestInput,
  type RequestName,
  type RequestRow,
  requests,
  type ServiceName,
} from '@casewatch/contracts';
import type { Msg, NatsConnection, Subscription, SubscriptionOptions } from '@nats-io/transport-node';
import { ApiError } from '../errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import { withDeadline } from '../timing/deadline.ts';
import { every } from '../timing/every.ts';
import { timeLeftMs } from '../timing/time-left.ts';
import { contextHeaders } from './context.ts';
import { ask, fromReply, handleMessage, respond } from './messages.ts';
import { connectNats, type NatsAccess } from './nats-connection.ts';
import { createRepeatBudget } from './repeat-budget.ts';

/** Requests and core events over NATS; durable events go through the outbox (relay.ts) and consume.ts. */
export type Bus = {
  readonly service: ServiceName;
  readonly connection: NatsConnection;
  /** @throws ApiError as the owner threw it; service_unavailable where no answer came in time, or the owner failed */
  request<N extends RequestName>(
    name: N,
    data: RequestInput<N>,
    options?: { deadlineMs?: number },
  ): Promise<ReplyData<N>>;
  /**
   * Returns how to stop: what has arrived by then is still answered. One replica gets each request. A request that only the
   * holder of a lease answers goes to every replica that serves it, and those whose `answer` throws NotLeaderError do not reply.
   */
  serve<N extends RequestName>(
    name: N,
    answer: (data: RequestData<N>) => Promise<ReplyInput<N>>,
  ): () => Promise<void>;
  /** Publishes a core event: on NATS without a stream, for what may be lost. */
  publish<T extends EventType>(type: T, data: EventData<T>): void;
  /** One replica of this service receives each core event, or every replica where the event's row says so. */
  subscribe<T extends EventType>(type: T, handle: (data: EventData<T>) => Promise<void>): void;
  isConnected(): boolean;
  /** Whether the server answers within `ms`, and so knows every subscription made before. */
  ping(ms: number): Promise<boolean>;
  stop(): Promise<void>;
};

type Options = NatsAccess & { service: ServiceName; log: Logger };

/** Connects a service, as soon as NATS is there. */
export async function connectBus({ service, log, ...access }: Options): Promise<Bus> {
  const connection = await connectNats(service, access, { waits: true });
  let connected = true;
  void watchConnection(connection, log, (now) => {
    connected = now;
  });
  const repeats = createRepeatBudget();
  const receivers = new Set<() => Promise<void>>();
  /** What arrived and is not answered yet. */
  const underWay = new Set<Promise<void>>();
  /** Returns how to stop. Where NATS refuses the subscription, all others go on, and this one is tried again. */
  function handleAll(
    subject: string,
    options: SubscriptionOptions,
    handle: (message: Msg) => Promise<void>,
  ): () => Promise<void> {
    let subscription: Subscription | undefined;
    async function receiveAll(): Promise<void> {
      subscription = connection.subscribe(subject, options);
      for await (const message of subscription) {
        const work = handle(message);
        underWay.add(work);
        void work.finally(() => underWay.delete(work));
      }
      if (connection.isClosed()) void receiving.stop();
    }
    const receiving = every(refusedMs, receiveAll, (error) =>
      log.error({ subject, err: error }, 'NATS refused a subscription; trying again'),
    );
    async function stop(): Promise<void> {
      receivers.delete(stop);
      const stopped = receiving.stop();
      if (connected && !subscription?.isClosed() && !connection.isClosed()) await subscription?.drain();
      await stopped;
    }
    receivers.add(stop);
    return stop;
  }

  return {
    service,
    connection,
    isConnected: () => connected && !connection.isClosed(),
    async ping(ms) {
      if (!connected || connection.isClosed()) return false;
      // Being late, or a connection lost meanwhile, is the answer "no".
      return await withDeadline(connection.flush(), ms, 'bus').then(
        () => true,
        () => false,
      );
    },
    async request(name, data, options = {}) {
      const row = requests[name];
      const deadlineMs = Math.min(row.deadlineMs, options.deadlineMs ?? row.deadlineMs, timeLeftMs());
      const asking = { name, deadlineMs, repeats: row.isRepeatable ? repeats : undefined };
      const answer = await ask(connection, asking, row.request.parse(data));
      if (!answer.ok) throw fromReply(name, answer.error);
      const parsed = row.reply.safeParse(answer.data);
      if (parsed.success) return parsed.data as ReplyData<typeof name>;
      throw new ApiError('service_unavailable', {
        cause: parsed.error,
        detail: `${name} was answered in a form that is not known here`,
      });
    },
    serve(name, answer) {
      const row: RequestRow = requests[name];
      if (row.owner !== service) throw new Error(`${service} does not answer ${name}`);
      const options = row.byLeaseHolder ? {} : { queue: service };
      return handleAll(name, options, (message) => respond(message, name, answer as never, log));
    },
    publish(type, data) {
      if (events[type].owner !== service) throw new Error(`${service} does not publish ${type}`);
      connection.publish(type, JSON.stringify(events[type].schema.parse(data)), {
        headers: contextHeaders(),
      });
    },
    subscribe(type, handle) {
      const row: EventRow = events[type];
      const options = row.everyReplica ? {} : { queue: service };
      handleAll(type, options, (message) => handleMessage(message, type, handle as never, log));
    },
    async stop() {
      if (connection.isClosed()) return;
      const stopped = Promise.all([...receivers].map((stop) => stop()));
      // Draining waits for the server's word, which does not come while it is away.
      if (!connected) await connection.close();
      await stopped;
      if (connection.isClosed()) return;
      // The answers that are owed need the connection.
      await Promise.race([Promise.all(underWay), delay(owedMs, undefined, { ref: false })]);
      await connection.drain();
    },
  };
}

/** How often a subscription that NATS refused is tried again, ms: while releases roll, the rights may be those of the other one. */
const refusedMs = 5_000;

/** Longest wait for answers that are owed when stopping, ms: the longest deadline of a request, and some. */
const owedMs = 10_000;

async function watchConnection(
  connection: NatsConnection,
  log: Logger,
  set: (connected: boolean) => void,
): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'staleConnection') set(false);
    if (status.type === 'reconnect') set(true);
    if (status.type === 'error') log.error({ err: status.error }, 'bus error');
    else if (status.type === 'disconnect' || status.type === 'reconnect')
      log.warn({ status: status.type }, 'bus');
  }
}
