import { currentContext, inContext, newContext } from '../telemetry/logger.ts';

/** The time that the caller still waits, ms. A duration, because clocks of replicas differ. */
export const timeLeftHeader = 'x-casewatch-time-left-ms';

/** Runs `work` with at most `ms` left; the current call's own limit still holds. */
export function withTimeLeft<T>(ms: number, work: () => T, context = currentContext() ?? newContext()): T {
  const ends_at_ms = performance.now() + Math.min(ms, timeLeftMs());
  return inContext({ ...context, ends_at_ms }, work);
}

/** Runs `work` without the time limit of the current call, because other calls wait for it too. */
export function withoutTimeLimit<T>(work: () => T): T {
  const { ends_at_ms: _, ...context } = currentContext() ?? newContext();
  return inContext(context, work);
}

/** How long the caller still waits, ms: 0 or less when the time is over, infinite without a caller. */
export function timeLeftMs(): number {
  return (currentContext()?.ends_at_ms ?? Number.POSITIVE_INFINITY) - performance.now();
}

/** Reads the header; `longestMs` if it is missing, wrong or longer. */
export function readTimeLeft(value: string | undefined, longestMs: number): number {
  const ms = Number(value || longestMs);
  return ms > 0 && ms < longestMs ? ms : longestMs;
}
