import type { EndpointStage } from '@casewatch/contracts';

const hour = 60 * 60 * 1_000;

/** webhooks.md, Delivery; ms, before WEBHOOKS_RETRY_SCALE. */
const disabledAfterMs = 120 * hour;
const warnedAfterMs = { half: 0.5 * disabledAfterMs, nine_tenths: 0.9 * disabledAfterMs };
/** Shortest time between the last warning and the end. */
const noticeMs = disabledAfterMs - warnedAfterMs.nine_tenths;
const fewestFailures = 10;

/** What the owner was told about the failures since `since`. `at`: the failure that led to it. */
export type Notice = { stage: EndpointStage; since: Date; at: Date };

export type Failing = {
  failing_since: Date;
  last_failure_at: Date;
  /** Failed attempts since the last success. */
  failures: number;
  notice: Notice | null;
};

/**
 * The next stage of a failing endpoint, or null. Only attempts count: the time is that between the first and the last
 * failure, so an endpoint is never disabled while it gets no attempts.
 */
export function nextStage(failing: Failing, scale: number): EndpointStage | null {
  const { failing_since, last_failure_at, failures } = failing;
  const notice = currentNotice(failing);
  const failedMs = (last_failure_at.getTime() - failing_since.getTime()) / scale;
  if (failures < fewestFailures || failedMs < warnedAfterMs.half) return null;
  if (failedMs < warnedAfterMs.nine_tenths) return notice ? null : 'half';
  if (notice?.stage !== 'nine_tenths') return 'nine_tenths';
  const warnedMs = (last_failure_at.getTime() - notice.at.getTime()) / scale;
  return failedMs >= disabledAfterMs && warnedMs >= noticeMs ? 'disabled' : null;
}

/** When the endpoint is disabled at the earliest. */
export function earliestEnd({ stage, since, at }: Notice, scale: number): Date {
  const end = since.getTime() + disabledAfterMs * scale;
  return new Date(stage === 'nine_tenths' ? Math.max(end, at.getTime() + noticeMs * scale) : end);
}

/** Failures before which nothing is to be judged. */
export function firstWarningBefore(now: Date, scale: number): Date {
  return new Date(now.getTime() - warnedAfterMs.half * scale);
}

/** A success, and a change of the endpoint, end the failures that a notice is about. */
function currentNotice({ notice, failing_since }: Failing): Notice | null {
  return notice?.since.getTime() === failing_since.getTime() ? notice : null;
}
