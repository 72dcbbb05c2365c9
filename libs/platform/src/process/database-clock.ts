import { ApiError } from '../errors.ts';
import { databaseTime } from '../store/database-time.ts';
import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Clock } from '../timing/clock.ts';
import { withDeadline } from '../timing/deadline.ts';
import { every, type Running } from '../timing/every.ts';
import {
  createFollowedClock,
  type FollowedClock,
  maxRoundTripMs,
  type Moment,
} from '../timing/followed-clock.ts';
import { retryUntilAvailable } from './retry-until-available.ts';

const heartbeatMs = 2_000;
/** Longest wait for the time after a suspension, ms: callers of HTTP get their answer within 2.5 s. */
const awakeWithinMs = 1_000;
/** How often a command asks for a short round trip. */
const triesOfCommand = 5;

type Options = { connection: Connection; log: Logger; moment?: () => Moment };

export type DatabaseClock = Running & {
  readonly clock: FollowedClock;
  /**
   * Undefined while the time is known. Otherwise the machine was suspended: resolves when the time is read again.
   * @throws ApiError service_unavailable after a second
   */
  measured(): Promise<void> | undefined;
};

/**
 * The time of a service: that of its own database, read every 2 s. Replicas whose machines disagree agree by it, and what one
 * stores is compared with the same clock by the others.
 * @throws ApiError service_unavailable if no reading succeeds within a minute
 */
export async function startDatabaseClock({ connection, log, moment }: Options): Promise<DatabaseClock> {
  const clock = createFollowedClock({ source: 'database', log, ...(moment && { moment }) });
  let measuring: Promise<void> | undefined;
  let isFailing = false;

  async function read(): Promise<void> {
    const sent = clock.moment();
    clock.learn((await databaseTime(connection)).getTime(), sent);
    isFailing = false;
  }

  async function measure(): Promise<void> {
    await read();
    if (clock.isMeasured()) return;
    throw new ApiError('service_unavailable', {
      detail: `the time of MongoDB is not known: its answer took longer than ${maxRoundTripMs} ms`,
    });
  }

  await retryUntilAvailable(measure, log);
  const heartbeat = every(heartbeatMs, read, (error) => {
    if (!isFailing) log.warn({ err: error }, 'time of the database not read; trying again');
    isFailing = true;
  });
  return {
    clock,
    measured() {
      if (!clock.isSuspended()) return undefined;
      measuring ??= withDeadline(measure(), awakeWithinMs, 'the time of MongoDB').finally(() => {
        measuring = undefined;
      });
      return measuring;
    },
    stop: heartbeat.stop,
  };
}

/** The time of the database for a command of an operator, which ends soon. From far away, the shortest round trip counts. */
export async function readDatabaseClock(connection: Connection): Promise<Clock> {
  let best = { roundTripMs: Number.POSITIVE_INFINITY, offsetMs: 0 };
  for (let tries = 0; tries < triesOfCommand && best.roundTripMs > maxRoundTripMs; tries++) {
    const sentMs = performance.now();
    const atMs = (await databaseTime(connection)).getTime();
    const roundTripMs = performance.now() - sentMs;
    if (roundTripMs < best.roundTripMs) best = { roundTripMs, offsetMs: atMs - sentMs - roundTripMs / 2 };
  }
  return { now: () => new Date(performance.now() + best.offsetMs) };
}
