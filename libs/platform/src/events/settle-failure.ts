import type { ServiceName } from '@casewatch/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import type { Bus } from '../bus/bus.ts';
import { isTransient, NotYetError, PoisonError } from '../errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import { reasonOf, storeDeadLetter } from './dead-letters.ts';
import type { EventFailures } from './event-failures.ts';

export type Outcome = 'done' | 'away' | 'not yet' | 'failed' | 'dead';

export type EventTimes = typeof eventTimes;
export const eventTimes = {
  /** Between two heartbeats of an event in progress; JetStream waits 10 s for one. */
  workingMs: 3_000,
  /** Back-off of redelivery. With at most 1,000 pending events an outage costs 33 tries a second. */
  away: { firstMs: 1_000, longestMs: 30_000 },
  /** `limitMs`: after this time of failures the event is a dead letter. */
  'not yet': { firstMs: 50, longestMs: 60_000, limitMs: 60 * 60_000 },
  failed: { firstMs: 1_000, longestMs: 60_000, limitMs: 30 * 60_000 },
};

export type FailureContext = {
  service: ServiceName;
  bus: Bus;
  log: Logger;
  failures: EventFailures;
  times: EventTimes;
};

export async function settleFailure(ctx: FailureContext, message: JsMsg, error: unknown): Promise<Outcome> {
  const { log, times } = ctx;
  const type = message.subject;
  const kind = kindOf(error);
  try {
    if (kind !== 'away') return await settleOwnFailure(ctx, message, kind, error);
    log.info({ type, err: error }, 'event not handled: dependency not available; trying again');
  } catch (failure) {
    log.warn({ type, err: failure }, 'event failure not stored; the event is redelivered');
  }
  message.nak(backoffMs(message.info.deliveryCount, times.away));
  return 'away';
}

type Kind = 'not yet' | 'failed' | 'poison';

function kindOf(error: unknown): Kind | 'away' {
  if (error instanceof NotYetError) return 'not yet';
  if (error instanceof PoisonError) return 'poison';
  return isTransient(error) ? 'away' : 'failed';
}

function backoffMs(tries: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number {
  return Math.min(firstMs * 2 ** Math.min(tries - 1, 30), longestMs);
}

/** Counts a failure that the event itself may cause, so that its retries end. */
async function settleOwnFailure(
  { service, bus, log, failures, times }: FailureContext,
  message: JsMsg,
  kind: Kind,
  error: unknown,
): Promise<Outcome> {
  const { tries, lastedMs } = await failures.add(message, kind);
  const reason = reasonOf(error);
  const at = kind === 'failed' ? framesOf(error) : undefined;
  const fields = { type: message.subject, tries, kind, reason, at };
  if (kind !== 'poison' && lastedMs < times[kind].limitMs) {
    log[kind === 'failed' ? 'error' : 'info'](fields, 'event not handled; trying again');
    message.nak(backoffMs(tries, times[kind]));
    return kind;
  }
  await storeDeadLetter(service, bus, message, { kind, reason, tries });
  log.error(fields, 'event moved to dead letters');
  message.term(kind);
  await failures.delete(message);
  return 'dead';
}

/** Stack frames without the message, which may contain personal data. */
function framesOf(error: unknown): string[] | undefined {
  return error instanceof Error ? error.stack?.split('\n    at ').slice(1, 6) : undefined;
}
