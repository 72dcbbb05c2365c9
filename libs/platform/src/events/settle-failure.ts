import type { ServiceName } from '@casewatch/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import type { Bus } from '../bus/bus.ts';
import { isTransient, NotYetError, PoisonError } from '../errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import { backoffMs } from '../timing/backoff.ts';
import { reasonOf, storeDeadLetter } from './dead-letters.ts';
import type { EventFailures } from './event-failures.ts';

/** How the handling of an event ended this time. */
export type Outcome = 'done' | 'away' | 'not yet' | 'failed' | 'dead';

/** Times of a consumer, ms. */
export type EventTimes = typeof eventTimes;
export const eventTimes = {
  /** Between two signs of life of an event that is being handled; JetStream waits 10 s for one. */
  workingMs: 3_000,
  /** Wait before an event comes again. With 1,000 events that wait at most, an outage costs 33 tries a second. */
  away: { firstMs: 1_000, longestMs: 30_000 },
  /** So long (`limitMs`) an event's own failure may last before the event is a dead letter. */
  'not yet': { firstMs: 50, longestMs: 60_000, limitMs: 60 * 60_000 },
  failed: { firstMs: 1_000, longestMs: 60_000, limitMs: 30 * 60_000 },
};

export type Settling = {
  service: ServiceName;
  bus: Bus;
  log: Logger;
  failures: EventFailures;
  times: EventTimes;
};

/** Sends the event back, or to the dead letters, by what its handler has thrown. It never throws. */
export async function settleFailure(settling: Settling, message: JsMsg, error: unknown): Promise<Outcome> {
  const { log, times } = settling;
  const kind = kindOf(error);
  try {
    if (kind !== 'away') return await settleOwnFailure(settling, message, kind, error);
    log.info(
      { type: message.subject, err: error },
      'event not handled: dependency not available; trying again',
    );
  } catch (failure) {
    log.warn({ type: message.subject, err: failure }, 'event failure not stored; the event is redelivered');
  }
  const { firstMs, longestMs } = times.away;
  message.nak(backoffMs(message.info.deliveryCount, firstMs, longestMs));
  return 'away';
}

type Kind = 'not yet' | 'failed' | 'poison';

function kindOf(error: unknown): Kind | 'away' {
  if (error instanceof NotYetError) return 'not yet';
  if (error instanceof PoisonError) return 'poison';
  return isTransient(error) ? 'away' : 'failed';
}

/** A failure that may be the event's own: counted, so that it ends. */
async function settleOwnFailure(
  { service, bus, log, failures, times }: Settling,
  message: JsMsg,
  kind: Kind,
  error: unknown,
): Promise<Outcome> {
  const { tries, lastedMs } = await failures.note(message, kind);
  const reason = reasonOf(error);
  const fields = {
    type: message.subject,
    tries,
    kind,
    reason,
    at: kind === 'failed' ? placeOf(error) : undefined,
  };
  if (kind !== 'poison' && lastedMs < times[kind].limitMs) {
    const { firstMs, longestMs } = times[kind];
    const level = kind === 'failed' ? 'error' : 'info';
    log[level](fields, 'event handled later');
    message.nak(backoffMs(tries, firstMs, longestMs));
    return kind;
  }
  await storeDeadLetter(service, bus, message, { kind, reason, tries });
  log.error(fields, 'event moved to dead letters');
  message.term(kind);
  await failures.forget(message);
  return 'dead';
}

/** Where the program failed: the frames alone, as a message may quote what a person could be known by. */
function placeOf(error: unknown): string[] | undefined {
  return error instanceof Error ? error.stack?.split('\n    at ').slice(1, 6) : undefined;
}
