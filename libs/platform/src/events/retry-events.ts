/** Tries waiting failed events again. One replica does it at a time, so that an event has one handler and a service one rate. */
import { consumersOf, type ServiceName } from '@casewatch/contracts';
import { contextOf, messagingAttributes } from '../bus/context.ts';
import { holdLease } from '../store/lease.ts';
import type { Connection } from '../store/mongo.ts';
import { inContext } from '../telemetry/logger.ts';
import { failSpan, inSpan } from '../telemetry/spans.ts';
import type { Running } from '../timing/every.ts';
import { pause } from '../timing/pause.ts';
import type { Outcome } from './event-counts.ts';
import { type FailedEventRow, reasonOf } from './failed-events.ts';
import { framesOf, type TryContext, tryEvent } from './handle-event.ts';
import { headersOf, readEvent } from './received-event.ts';

type Options = TryContext & {
  service: ServiceName;
  /** The connection of leases. */
  leases: Connection;
  /** Only these types; default: every type. */
  types?: readonly string[];
  settled?: (durable: string, outcome: Outcome) => void;
};

const leaseMs = 15_000;
const leaseRetryMs = 5_000;
const pollMs = 1_000;
/** While nothing is due, ms: a look costs each service an operation of its database. */
const idleMs = 2_000;
/** After a failure of the database, ms. */
const awayMs = 2_000;

/** At most 20 tries a second and 4 at once; while most of them fail, down to one a second. */
const shortestGapMs = 50;
const longestGapMs = 1_000;
const mostAtOnce = 4;
/** Of one type: a place stays free for the others. */
const mostOfType = mostAtOnce - 1;
/** Weight of the latest try in the share of tries that failed. */
const latest = 0.1;

export function retryEvents(options: Options): Running {
  const { leases, log } = options;
  return holdLease({
    ...{ connection: leases, log, name: 'failed-events', ttlMs: leaseMs, retryMs: leaseRetryMs },
    whileHeld: ({ signal }) => retryUntil(options, signal),
  });
}

async function retryUntil(options: Options, signal: AbortSignal): Promise<void> {
  const { failed, log, types } = options;
  const inProgress = new Map<string, { type: string; work: Promise<void> }>();
  /** Types in the order in which they had their last turn. */
  const turns = new Map<string, number>();
  let failing = 0;
  let gapMs = shortestGapMs;
  let nextAt = performance.now();

  function begin(id: string, type: string): void {
    const work = retry(options, id, signal).then((outcome) => {
      inProgress.delete(id);
      if (outcome === null) return;
      failing += latest * (Number(outcome !== 'done') - failing);
      gapMs = failing > 0.5 ? Math.min(gapMs * 1.2, longestGapMs) : Math.max(gapMs / 1.5, shortestGapMs);
    });
    inProgress.set(id, { type, work });
  }

  const isFree = (type: string) =>
    [...inProgress.values()].filter((other) => other.type === type).length < mostOfType;

  while (!signal.aborted) {
    try {
      const limit = Math.max(1, Math.round(pollMs / gapMs));
      const due = await failed.dueByType(limit + mostAtOnce, types);
      for (const [type, ids] of due)
        due.set(
          type,
          ids.filter((id) => !inProgress.has(id)),
        );
      const batch = inTurns(due, turns, limit);
      let begun = 0;
      for (const { id, type } of batch) {
        while (inProgress.size >= mostAtOnce && !signal.aborted)
          await Promise.race([...inProgress.values()].map(({ work }) => work));
        if (!isFree(type)) continue;
        await pause(Math.max(0, nextAt - performance.now()), signal);
        if (signal.aborted) break;
        nextAt = performance.now() + gapMs;
        turns.delete(type);
        turns.set(type, nextAt);
        begin(id, type);
        begun += 1;
      }
      if (begun === 0) await pause(batch.length === 0 ? idleMs : shortestGapMs, signal);
    } catch (error) {
      log.warn({ err: error }, 'failed events not loaded; trying again');
      await pause(awayMs, signal);
    }
  }
  await Promise.all([...inProgress.values()].map(({ work }) => work));
}

/** One row of each type in turn, so that the rows of one type never fill a batch that others wait for. */
function inTurns(
  due: ReadonlyMap<string, readonly string[]>,
  turns: ReadonlyMap<string, number>,
  limit: number,
): { id: string; type: string }[] {
  const types = [...due.keys()].sort((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0));
  const longest = Math.max(0, ...[...due.values()].map(({ length }) => length));
  const rounds = Array.from({ length: longest }, (_, round) =>
    types.flatMap((type) => {
      const id = due.get(type)?.[round];
      return id === undefined ? [] : [{ id, type }];
    }),
  );
  return rounds.flat().slice(0, limit);
}

/** Null: the row is gone, because the event was erased or discarded. Never throws. */
async function retry(options: Options, id: string, signal: AbortSignal): Promise<Outcome | null> {
  const { failed, log, service, settled } = options;
  try {
    const row = await failed.findWaiting(id);
    if (!row) return null;
    const outcome = await inContext(contextOf(headersOf(row.headers)), () =>
      inSpan(spanOf(row), async (span) => {
        const outcome = await tryRow(options, row, signal);
        span?.setAttribute('casewatch.outcome', outcome);
        if (span && outcome !== 'done') failSpan(span, outcome);
        return outcome;
      }),
    );
    const consumer = consumersOf(service).find(({ subjects }) => subjects.includes(row.type));
    if (consumer) settled?.(consumer.durable, outcome);
    return outcome;
  } catch (error) {
    log.warn({ event: id, err: error }, 'result of a retried event not stored; trying again');
    return 'away';
  }
}

function spanOf({ type, tries }: FailedEventRow) {
  return {
    name: `process ${type}`,
    kind: 'consumer' as const,
    attributes: { ...messagingAttributes(type), 'casewatch.delivery': tries + 1 },
  };
}

async function tryRow(options: Options, row: FailedEventRow, signal: AbortSignal): Promise<Outcome> {
  const { failed, log } = options;
  const result = await tryEvent(options, readEvent(row), {
    isRedelivered: true,
    waitedMs: failed.waitedMs(row),
  });
  if (result.kind === 'done') {
    await failed.remove(row._id);
    return 'done';
  }
  // Another replica may try the event now: what this one knows of it is old.
  if (signal.aborted) return 'away';
  if (result.kind === 'away') {
    log.info(
      { type: row.type, err: result.error },
      'event not handled: dependency not available; trying again',
    );
    await failed.postpone(row);
    return 'away';
  }
  const { kind, error } = result;
  const outcome = await failed.failAgain(row, { kind, error });
  const fields = { type: row.type, event: row._id, kind, tries: row.tries + 1, reason: reasonOf(error) };
  if (outcome === 'dead') log.error(fields, 'event moved to dead letters');
  else if (kind === 'failed')
    log.error({ ...fields, at: framesOf(error) }, 'event not handled; trying again');
  else log.info(fields, 'event not handled; trying again');
  return outcome;
}
