import { currentContext, inContext, newContext } from '../telemetry/logger.ts';

/** Says, over HTTP and NATS, how many milliseconds the caller still waits. Never a time: clocks of replicas differ. */
export const timeLeftHeader = 'x-casewatch-time-left-ms';

/** Runs `work` as a part of the current call that is over in `ms`, or earlier if the call already ends earlier. */
export function withTimeLeft<T>(ms: number, work: () => T, context = currentContext() ?? newContext()): T {
  const ends_at_ms = performance.now() + Math.min(ms, timeLeftMs());
  return inContext({ ...context, ends_at_ms }, work);
}

/** Runs `work` that others wait for too: it does not end with the current call. */
export function withoutTimeLimit<T>(work: () => T): T {
  const { ends_at_ms: _, ...context } = currentContext() ?? newContext();
  return inContext(context, work);
}

/** How long the caller still waits, ms; not above 0 when the time is over, infinite where no caller waits. */
export function timeLeftMs(): number {
  return (currentContext()?.ends_at_ms ?? Number.POSITIVE_INFINITY) - performance.now();
}

/** Reads the header's value; without one (the release before sends none) it is `longestMs`, the most that it can be. */
export function readTimeLeft(value: string | undefined, longestMs: number): number {
  const ms = Number(value || longestMs);
  return ms > 0 && ms < longestMs ? ms : longestMs;
}
