import { setTimeout as delay } from 'node:timers/promises';
import {
  type EventData,
  type EventType,
  events,
  isErrorCode,
  type ReplyInput,
  type RequestData,
  type RequestName,
  requests,
  type ServiceName,
} from '@casewatch/contracts';
import { type Msg, type NatsConnection, RequestError } from '@nats-io/transport-node';
import { z } from 'zod';
import { ApiError, NotLeaderError, toApiError } from '../errors.ts';
import { inContext, type Logger } from '../telemetry/logger.ts';
import { callerIds } from '../telemetry/security-log.ts';
import { failSpan, inSpan, type Span } from '../telemetry/spans.ts';
import { readTimeLeft, timeLeftHeader, withTimeLeft } from '../timing/time-left.ts';
import { contextHeaders, contextOf, messagingAttributes } from './context.ts';
import { newReplySubject, replyPrefix } from './reply-subjects.ts';

const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), data: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error: z.object({
      code: z.string(),
      message: z.string(),
      retry_after_s: z.number().optional(),
      who: callerIds.optional(),
    }),
  }),
]);

/** How long to retry while NATS reports no responders, ms. A replica may be restarting. */
const noRespondersGraceMs = 2_000;
const noRespondersPollMs = 100;

const requestsPerRepeat = 20;
/** Largest number of saved repeats: as many requests may be in progress when a connection is lost. */
const savedRepeats = 50;

/** Limits repeats to 5 % of all requests: a replica that is slow from load must not get twice the load. */
export function createRepeatBudget() {
  let saved = requestsPerRepeat - 1;
  return {
    countRequest() {
      saved = Math.min(saved + 1, savedRepeats * requestsPerRepeat);
    },
    tryRepeat() {
      if (saved < requestsPerRepeat) return false;
      saved -= requestsPerRepeat;
      return true;
    },
  };
}

type RepeatBudget = ReturnType<typeof createRepeatBudget>;

type RequestOptions = {
  asker: ServiceName;
  name: RequestName;
  deadlineMs: number;
  /** Allows a second request at half of the time: the first request or its reply may be lost with a connection. */
  repeats: RepeatBudget | undefined;
};

/** Sends a request and returns the reply, or the owner's refusal. @throws ApiError service_unavailable without a reply in time */
export async function sendRequest(
  connection: NatsConnection,
  { asker, name, deadlineMs, repeats }: RequestOptions,
  data: unknown,
) {
  if (deadlineMs <= 0)
    throw new ApiError('service_unavailable', { detail: `no time left to request ${name}` });
  const started = performance.now();
  const send = (timeout: number) => {
    const hdrs = contextHeaders();
    hdrs.set(timeLeftHeader, String(Math.ceil(timeout)));
    // A subscription for each reply: only the owner of the request may publish there (ADR 0031).
    const reply = newReplySubject(asker, requests[name].owner);
    return connection.request(name, JSON.stringify(data), { timeout, headers: hdrs, noMux: true, reply });
  };
  repeats?.countRequest();
  for (;;) {
    const elapsedMs = performance.now() - started;
    try {
      const leftMs = Math.max(1, deadlineMs - elapsedMs);
      const message = await (repeats ? hedgedRequest(send, leftMs, repeats) : send(leftMs));
      return replySchema.parse(message.json());
    } catch (error) {
      const mayRetry = elapsedMs + noRespondersPollMs < Math.min(noRespondersGraceMs, deadlineMs);
      if (!mayRetry || !(error instanceof RequestError && error.isNoResponders()))
        throw new ApiError('service_unavailable', { cause: error, detail: `no reply to ${name}` });
    }
    await delay(noRespondersPollMs);
  }
}

async function hedgedRequest(
  send: (timeoutMs: number) => Promise<Msg>,
  leftMs: number,
  repeats: RepeatBudget,
): Promise<Msg> {
  const { promise, resolve, reject } = Promise.withResolvers<Msg>();
  const timer = setTimeout(() => {
    if (repeats.tryRepeat()) send(leftMs / 2).then(resolve, reject);
  }, leftMs / 2);
  send(leftMs).then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** A refusal, as the owner threw it. An internal error of the owner is service_unavailable: it may pass. */
export function errorOfReply(
  name: string,
  error: Extract<z.output<typeof replySchema>, { ok: false }>['error'],
): ApiError {
  if (!isErrorCode(error.code) || error.code === 'internal_error')
    return new ApiError('service_unavailable', { detail: `${name} replied ${error.code}` });
  const retry = error.retry_after_s === undefined ? {} : { retryAfterS: error.retry_after_s };
  return new ApiError(error.code, {
    message: error.message,
    ...retry,
    ...(error.who && { callerIds: error.who }),
  });
}

export async function respond<N extends RequestName>(
  message: Msg,
  name: N,
  answer: (data: RequestData<N>, asker: ServiceName) => Promise<ReplyInput<N>>,
  log: Logger,
): Promise<void> {
  const { owner, askers, deadlineMs } = requests[name];
  // NATS lets a caller name any reply subject. On the subject of an event the reply would be taken for an event.
  const asker = askers.find((name) => message.reply?.startsWith(`${replyPrefix(name, owner)}.`));
  if (asker === undefined) {
    log.warn({ request: name }, 'request not answered: its reply subject is not an inbox of its askers');
    return;
  }
  const leftMs = readTimeLeft(message.headers?.get(timeLeftHeader), deadlineMs);
  const endsAt = performance.now() + leftMs;
  const reply = (body: object) => {
    if (performance.now() < endsAt) message.respond(JSON.stringify(body));
    else log.info({ request: name }, 'request not answered: its caller no longer waits');
  };
  const respondInContext = async (span: Span | undefined) => {
    try {
      const data = requests[name].request.parse(message.json()) as RequestData<N>;
      const result = requests[name].reply.parse(await answer(data, asker));
      reply({ ok: true, data: result });
    } catch (thrown) {
      if (thrown instanceof NotLeaderError) return;
      const { code, message: text, status, retryAfterS, options } = toApiError(thrown);
      if (status >= 500) log.warn({ request: name, problem: code, err: thrown }, 'request failed');
      if (span) failSpan(span, code);
      const error = { code, message: text, retry_after_s: retryAfterS, who: options.callerIds };
      reply({ ok: false, error });
    }
  };
  const span = { name: `respond ${name}`, kind: 'server' as const, attributes: messagingAttributes(name) };
  await withTimeLeft(leftMs, () => inSpan(span, respondInContext), contextOf(message.headers));
}

export async function handleMessage<T extends EventType>(
  message: Msg,
  type: T,
  handle: (data: EventData<T>) => Promise<void>,
  log: Logger,
): Promise<void> {
  // A service can have JetStream deliver an event of a stream here, as the reply to a pull: with a body that somebody chose.
  if (message.subject !== type) {
    log.warn(
      { event: type, subject: message.subject },
      'core event not handled: its type belongs to a stream',
    );
    return;
  }
  const handleInContext = async (span: Span | undefined) => {
    try {
      await handle(events[type].schema.parse(message.json()) as EventData<T>);
    } catch (error) {
      if (span) failSpan(span, 'core_event_not_handled');
      log.warn({ event: type, err: error }, 'core event not handled');
    }
  };
  const span = { name: `process ${type}`, kind: 'consumer' as const, attributes: messagingAttributes(type) };
  await inContext(contextOf(message.headers), () => inSpan(span, handleInContext));
}
