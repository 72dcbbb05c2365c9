import {
  type EventData,
  type EventType,
  events,
  isErrorCode,
  type ReplyData,
  type ReplyInput,
  type RequestData,
  type RequestInput,
  type RequestName,
  requests,
  type ServiceName,
} from '@casewatch/contracts';
import { connect, headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { withDeadline } from './deadline.ts';
import { ApiError, NotMineError, toApiError } from './errors.ts';
import { currentContext, inContext, type Logger, newContext } from './logger.ts';

/** Requests and core events over NATS; durable events go through the outbox (relay.ts) and consume.ts. */
export type Bus = {
  readonly service: ServiceName;
  readonly connection: NatsConnection;
  /** @throws ApiError as the owner threw it; service_unavailable where nobody answered in time */
  request<N extends RequestName>(
    name: N,
    data: RequestInput<N>,
    options?: { deadlineMs?: number },
  ): Promise<ReplyData<N>>;
  /**
   * Returns how to stop: what has arrived by then is still answered. One replica gets each request; with
   * `everyReplica` all that serve it do, and those whose `answer` throws NotMineError say nothing.
   */
  serve<N extends RequestName>(
    name: N,
    answer: (data: RequestData<N>) => Promise<ReplyInput<N>>,
    options?: { everyReplica?: boolean },
  ): () => Promise<void>;
  /** Core NATS: for what may be lost harmlessly. */
  announce<T extends EventType>(type: T, data: EventData<T>): void;
  /** One replica of this service hears each announcement; with `everyReplica`, all of them do, the sender too. */
  listen<T extends EventType>(
    type: T,
    handle: (data: EventData<T>) => Promise<void>,
    options?: { everyReplica?: boolean },
  ): void;
  isConnected(): boolean;
  /** Whether the server answers within `ms`, and so knows every subscription made before. */
  ping(ms: number): Promise<boolean>;
  stop(): Promise<void>;
};

type Options = { service: ServiceName; url: string; user: string; password: string; log: Logger };

const reply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), data: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error: z.object({ code: z.string(), message: z.string(), retry_after_s: z.number().optional() }),
  }),
]);

/** Connects, and keeps reconnecting for ever: a bus that is away is an outage, not an end. */
export async function connectBus({ service, url, user, password, log }: Options): Promise<Bus> {
  const connection = await connect({
    servers: url.split(','),
    name: service,
    user,
    pass: password,
    inboxPrefix: `_INBOX_${service}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
    timeout: 5_000,
    waitOnFirstConnect: true,
    ignoreAuthErrorAbort: true,
  });
  let connected = true;
  void watchConnection(connection, log, (now) => {
    connected = now;
  });

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
      const deadlineMs = Math.min(row.deadlineMs, options.deadlineMs ?? row.deadlineMs);
      const answer = await ask(connection, name, row.request.parse(data), deadlineMs);
      if (!answer.ok) throw fromReply(name, answer.error);
      return row.reply.parse(answer.data) as ReplyData<typeof name>;
    },
    serve(name, answer, { everyReplica = false } = {}) {
      if (requests[name].owner !== service) throw new Error(`${service} does not answer ${name}`);
      const subscription = connection.subscribe(name, everyReplica ? {} : { queue: service });
      void (async () => {
        for await (const message of subscription) void respond(message, name, answer as never, log);
      })();
      return async () => {
        if (!subscription.isClosed() && !connection.isClosed()) await subscription.drain();
      };
    },
    announce(type, data) {
      if (events[type].owner !== service) throw new Error(`${service} does not publish ${type}`);
      connection.publish(type, JSON.stringify(events[type].schema.parse(data)), {
        headers: contextHeaders(),
      });
    },
    listen(type, handle, { everyReplica = false } = {}) {
      const subscription = connection.subscribe(type, everyReplica ? {} : { queue: service });
      void (async () => {
        for await (const message of subscription) void receive(message, type, handle as never, log);
      })();
    },
    async stop() {
      if (connection.isClosed()) return;
      // Draining waits for the server's word, which does not come while it is away.
      await (connected ? connection.drain() : connection.close());
    },
  };
}

async function ask(connection: NatsConnection, name: string, data: unknown, deadlineMs: number) {
  const hdrs = contextHeaders();
  hdrs.set('deadline', String(Date.now() + deadlineMs));
  try {
    const message = await connection.request(name, JSON.stringify(data), {
      timeout: deadlineMs,
      headers: hdrs,
    });
    return reply.parse(message.json());
  } catch (error) {
    throw new ApiError('service_unavailable', { cause: error, detail: `${name} was not answered` });
  }
}

function fromReply(
  name: string,
  error: { code: string; message: string; retry_after_s?: number | undefined },
): ApiError {
  if (!isErrorCode(error.code))
    return new ApiError('internal_error', { detail: `${name} answered ${error.code}` });
  const retry = error.retry_after_s === undefined ? {} : { retryAfterS: error.retry_after_s };
  return new ApiError(error.code, { message: error.message, ...retry });
}

async function respond<N extends RequestName>(
  message: Msg,
  name: N,
  answer: (data: RequestData<N>) => Promise<ReplyInput<N>>,
  log: Logger,
): Promise<void> {
  const deadline = Number(message.headers?.get('deadline') ?? Number.POSITIVE_INFINITY);
  if (Date.now() > deadline) return; // Nobody waits any more.
  await inContext(contextOf(message.headers), async () => {
    try {
      const data = requests[name].request.parse(message.json()) as RequestData<N>;
      const result = requests[name].reply.parse(await answer(data));
      message.respond(JSON.stringify({ ok: true, data: result }));
    } catch (thrown) {
      if (thrown instanceof NotMineError) return;
      const error = toApiError(thrown);
      if (error.status >= 500)
        log.warn({ request: name, problem: error.code, err: thrown }, 'request failed');
      message.respond(
        JSON.stringify({
          ok: false,
          error: { code: error.code, message: error.message, retry_after_s: error.retryAfterS },
        }),
      );
    }
  });
}

async function receive<T extends EventType>(
  message: Msg,
  type: T,
  handle: (data: EventData<T>) => Promise<void>,
  log: Logger,
): Promise<void> {
  await inContext(contextOf(message.headers), async () => {
    try {
      await handle(events[type].schema.parse(message.json()) as EventData<T>);
    } catch (error) {
      log.warn({ event: type, err: error }, 'announcement not handled; it may be lost harmlessly');
    }
  });
}

/** The current call's ids, as headers of a message. */
export function contextHeaders(context = currentContext() ?? newContext()): MsgHdrs {
  const hdrs = headers();
  hdrs.set('x-request-id', context.request_id);
  hdrs.set('traceparent', context.traceparent);
  return hdrs;
}

/** The context that a message came in, one step on. */
export function contextOf(hdrs: MsgHdrs | undefined) {
  return newContext(hdrs?.get('x-request-id') || undefined, hdrs?.get('traceparent') || undefined);
}

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
