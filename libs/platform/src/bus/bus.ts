import { setTimeout as delay } from 'node:timers/promises';
import {
  type ErrorCode,
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
import type { NatsConnection } from '@nats-io/transport-node';
import type { Meter } from '@opentelemetry/api';
import { ApiError } from '../errors.ts';
import type { NatsAccess } from '../settings/connection-settings.ts';
import { watchFirstConnection } from '../telemetry/first-connection.ts';
import type { Logger } from '../telemetry/logger.ts';
import { inSpan } from '../telemetry/spans.ts';
import { pause } from '../timing/pause.ts';
import { timeLeftMs } from '../timing/time-left.ts';
import { contextHeaders, messagingAttributes } from './context.ts';
import { createRepeatBudget, errorOfReply, handleMessage, respond, sendRequest } from './messages.ts';
import { connectNats } from './nats-connection.ts';
import { measureRequests } from './request-metrics.ts';
import { createSubscriptions } from './subscriptions.ts';

/** Requests and core events over NATS. Other events go through the outbox and durable consumers. */
export type Bus = {
  readonly service: ServiceName;
  readonly connection: NatsConnection;
  /** @throws ApiError as the owner threw it; service_unavailable if there is no reply in time or the owner failed */
  request<N extends RequestName>(
    name: N,
    data: RequestInput<N>,
    options?: { deadlineMs?: number },
  ): Promise<ReplyData<N>>;
  /**
   * Answers a request in one replica. A request for the lease holder goes to every replica; those that do not hold the lease
   * throw NotLeaderError. The returned function stops after the requests that have arrived. `asker`: only this service can
   * receive the answer.
   */
  serve<N extends RequestName>(
    name: N,
    answer: (data: RequestData<N>, asker: ServiceName) => Promise<ReplyInput<N>>,
  ): () => Promise<void>;
  publish<T extends EventType>(type: T, data: EventData<T>): void;
  /** One replica of this service handles each core event, or every replica if the registry says so. */
  subscribe<T extends EventType>(type: T, handle: (data: EventData<T>) => Promise<void>): void;
  isConnected(): boolean;
  stop(): Promise<void>;
};

type Options = NatsAccess & { service: ServiceName; log: Logger; meter?: Meter };

/** A server that is there has answered after so long, ms. */
const patienceMs = 500;
/** Pause before the next question for the reason, ms. */
const askAgainMs = 4_000;

/** Longest wait at the stop for handlers in progress, ms: longer than any deadline of a request. */
const stopGraceMs = 10_000;

export async function connectBus({ service, log, meter, ...access }: Options): Promise<Bus> {
  const connection = await waitForNats(service, access, log);
  const isConnected = watchConnection(connection, log);
  const repeats = createRepeatBudget();
  const measure = measureRequests(meter);
  const subscriptions = createSubscriptions(connection, isConnected, log);
  return {
    service,
    connection,
    isConnected,
    async request(name, data, options = {}) {
      const row = requests[name];
      const deadlineMs = Math.min(row.deadlineMs, options.deadlineMs ?? row.deadlineMs, timeLeftMs());
      const request = { asker: service, name, deadlineMs, repeats: row.isRepeatable ? repeats : undefined };
      const parsedData = row.request.parse(data);
      const span = {
        name: `request ${name}`,
        kind: 'client' as const,
        attributes: messagingAttributes(name),
      };
      const send = () => inSpan(span, () => sendRequest(connection, request, parsedData));
      const reply = await measure(name, send);
      if (!reply.ok) throw errorOfReply(name, reply.error);
      const parsed = row.reply.safeParse(reply.data);
      if (parsed.success) return parsed.data as ReplyData<typeof name>;
      const detail = `the reply to ${name} does not match its schema`;
      throw new ApiError('service_unavailable', { cause: parsed.error, detail });
    },
    serve(name, answer) {
      const row: RequestRow = requests[name];
      if (row.owner !== service) throw new Error(`${service} does not own the request ${name}`);
      const options = row.byLeaseHolder ? {} : { queue: service };
      return subscriptions.add(name, options, (message) => respond(message, name, answer as never, log));
    },
    publish(type, data) {
      if (events[type].owner !== service) throw new Error(`${service} does not own the event ${type}`);
      const text = JSON.stringify(events[type].schema.parse(data));
      connection.publish(type, text, { headers: contextHeaders() });
    },
    subscribe(type, handle) {
      const row: EventRow = events[type];
      const options = row.everyReplica ? {} : { queue: service };
      subscriptions.add(type, options, (message) => handleMessage(message, type, handle as never, log));
    },
    async stop() {
      if (connection.isClosed()) return;
      const stopped = subscriptions.stop();
      // Draining would wait for an answer of the server.
      if (!isConnected()) await connection.close();
      await stopped;
      if (connection.isClosed()) return;
      await Promise.race([subscriptions.handled(), delay(stopGraceMs, undefined, { ref: false })]);
      await connection.drain();
    },
  };
}

/** Connects, and says why it takes long. NATS's client waits without a word, so a second connection asks for the reason. */
async function waitForNats(service: ServiceName, access: NatsAccess, log: Logger): Promise<NatsConnection> {
  const connected = new AbortController();
  const nats = watchFirstConnection('nats', log);
  const askWhy = async () => {
    let pauseMs = askAgainMs;
    await pause(patienceMs, connected.signal);
    while (!connected.signal.aborted) {
      try {
        await (await connectNats(service, access, { waits: false })).close();
      } catch (error) {
        if (!connected.signal.aborted) nats.failed(error);
        // The client leaves the socket to a server that says nothing open.
        if (error instanceof Error && error.name === 'TimeoutError') pauseMs = Math.min(2 * pauseMs, 60_000);
      }
      await pause(pauseMs, connected.signal);
    }
  };
  void askWhy();
  try {
    return await connectNats(service, access, { waits: true });
  } finally {
    connected.abort();
    nats.end();
  }
}

function watchConnection(connection: NatsConnection, log: Logger): () => boolean {
  let isUp = true;
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') isUp = false;
      if (status.type === 'reconnect') isUp = true;
      if (status.type === 'error') log.error({ err: status.error }, 'NATS connection error');
      else if (status.type === 'disconnect') log.warn('NATS disconnected');
      else if (status.type === 'reconnect') log.warn('NATS reconnected');
    }
  })();
  return () => isUp && !connection.isClosed();
}

/** The reply of another service, or null if it refuses with `code`: `orNull(bus.request(…), 'user_not_found')`. */
export async function orNull<T>(reply: Promise<T>, code: ErrorCode): Promise<T | null> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return null;
    throw error;
  }
}
