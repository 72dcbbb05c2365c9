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
} from '@casewatch/contracts';
import { type Msg, type NatsConnection, RequestError } from '@nats-io/transport-node';
import { z } from 'zod';
import { ApiError, NotLeaderError, toApiError } from '../errors.ts';
import { inContext, type Logger } from '../telemetry/logger.ts';
import { callerIds } from '../telemetry/security-log.ts';
import { readTimeLeft, timeLeftHeader, withTimeLeft } from '../timing/time-left.ts';
import { contextHeaders, contextOf } from './context.ts';
import type { RepeatBudget } from './repeat-budget.ts';

const reply = z.discriminatedUnion('ok', [
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

/** How long somebody to answer is waited for where there is nobody, ms: the last one may be handing over to the next. */
const nobodyMs = 2_000;
const nobodyPollMs = 100;

type Asking = {
  name: string;
  deadlineMs: number;
  /** Allows a second question at half of the time: the first, or its answer, may be lost with a connection. */
  repeats: RepeatBudget | undefined;
};

/**
 * The owner's answer or refusal.
 * @throws ApiError service_unavailable where nobody answered in time
 */
export async function ask(connection: NatsConnection, asking: Asking, data: unknown) {
  const { name, deadlineMs, repeats } = asking;
  if (deadlineMs <= 0) throw new ApiError('service_unavailable', { detail: `no time left to ask ${name}` });
  const started = performance.now();
  const send = (timeout: number) => {
    const hdrs = contextHeaders();
    hdrs.set(timeLeftHeader, String(Math.ceil(timeout)));
    // The release before answers nothing without this header. No time of our clock: its clock may differ.
    hdrs.set('deadline', String(Number.MAX_SAFE_INTEGER));
    return connection.request(name, JSON.stringify(data), { timeout, headers: hdrs });
  };
  repeats?.asked();
  for (;;) {
    const elapsedMs = performance.now() - started;
    try {
      const leftMs = Math.max(1, deadlineMs - elapsedMs);
      const message = await (repeats ? askedAgain(send, leftMs, repeats) : send(leftMs));
      return reply.parse(message.json());
    } catch (error) {
      const isWorthWaiting = elapsedMs + nobodyPollMs < Math.min(nobodyMs, deadlineMs);
      if (!isWorthWaiting || !(error instanceof RequestError && error.isNoResponders()))
        throw new ApiError('service_unavailable', { cause: error, detail: `${name} was not answered` });
    }
    await delay(nobodyPollMs);
  }
}

/** The first answer to one question, or to either of two. */
async function askedAgain(
  send: (timeoutMs: number) => Promise<Msg>,
  leftMs: number,
  repeats: RepeatBudget,
): Promise<Msg> {
  const settled = new AbortController();
  const first = send(leftMs);
  const second = delay(leftMs / 2, undefined, { signal: settled.signal }).then(() =>
    repeats.takeRepeat() ? send(leftMs / 2) : first,
  );
  // Heard of through the race, or not needed any more.
  second.catch(() => undefined);
  try {
    return await Promise.race([first, second]);
  } finally {
    settled.abort();
  }
}

/** A refusal, as the owner threw it. A failure of the owner is none of ours: it may pass. */
export function fromReply(
  name: string,
  error: Extract<z.output<typeof reply>, { ok: false }>['error'],
): ApiError {
  if (!isErrorCode(error.code) || error.code === 'internal_error')
    return new ApiError('service_unavailable', { detail: `${name} answered ${error.code}` });
  const retry = error.retry_after_s === undefined ? {} : { retryAfterS: error.retry_after_s };
  return new ApiError(error.code, { message: error.message, ...retry, ...(error.who && { who: error.who }) });
}

/** Answers one request; a failure is answered as its error. */
export async function respond<N extends RequestName>(
  message: Msg,
  name: N,
  answer: (data: RequestData<N>) => Promise<ReplyInput<N>>,
  log: Logger,
): Promise<void> {
  // The server lets an answer go wherever the asker says: at the subject of an event it would be one.
  if (!message.reply?.startsWith('_INBOX_')) {
    log.warn({ request: name }, 'request not answered: its reply subject is not an inbox');
    return;
  }
  // The release before sends a time of its clock as `deadline`, which is not read: clocks differ.
  const leftMs = readTimeLeft(message.headers?.get(timeLeftHeader), requests[name].deadlineMs);
  const context = contextOf(message.headers);
  const work = async () => {
    try {
      const data = requests[name].request.parse(message.json()) as RequestData<N>;
      const result = requests[name].reply.parse(await answer(data));
      message.respond(JSON.stringify({ ok: true, data: result }));
    } catch (thrown) {
      if (thrown instanceof NotLeaderError) return;
      const error = toApiError(thrown);
      if (error.status >= 500)
        log.warn({ request: name, problem: error.code, err: thrown }, 'request failed');
      message.respond(
        JSON.stringify({
          ok: false,
          error: {
            code: error.code,
            message: error.message,
            retry_after_s: error.retryAfterS,
            who: error.options.who,
          },
        }),
      );
    }
  };
  await withTimeLeft(leftMs, work, context);
}

/** Handles one announcement; a failure is logged, for it may be lost harmlessly. */
export async function handleMessage<T extends EventType>(
  message: Msg,
  type: T,
  handle: (data: EventData<T>) => Promise<void>,
  log: Logger,
): Promise<void> {
  await inContext(contextOf(message.headers), async () => {
    try {
      await handle(events[type].schema.parse(message.json()) as EventData<T>);
    } catch (error) {
      log.warn({ event: type, err: error }, 'core event not handled');
    }
  });
}
