import type { EndpointStage } from '@casewatch/contracts';

const hour = 60 * 60 * 1_000;

/** webhooks.md, Delivery; ms, before WEBHOOKS_RETRY_SCALE. */
const disabledAfterMs = 120 * hour;
const warnedAfterMs = { half: 0.5 * disabledAfterMs, nine_tenths: 0.9 * disabledAfterMs };
/** Shortest time between the last warning and the end. */
const noticeMs = disabledAfterMs - warnedAfterMs.nine_tenths;
const fewestFailures = 10;

/**
 * What the owner is told about the failures since `since`. `at`: the failure that led to it. `mailed`: the notifier has
 * accepted the mail, or no mail is needed.
 */
export type Notice = { stage: EndpointStage; since: Date; at: Date; mailed: boolean };

export type Failing = {
  failing_since: Date;
  /** The last failure: by the clock of `failing_since`. */
  last_delivery_at: Date;
  /** Failed attempts since the last success. */
  failures: number;
  notice: Notice | null;
};

/**
 * The next stage of a failing endpoint, or null. Only attempts count: the time is that between the first and the last
 * failure, so an endpoint is never disabled while it gets no attempts. A stage waits for the mail of the stage before it.
 */
export function nextStage(failing: Failing, scale: number): EndpointStage | null {
  const { failing_since, last_delivery_at, failures } = failing;
  const notice = currentNotice(failing);
  const failedMs = (last_delivery_at.getTime() - failing_since.getTime()) / scale;
  if (failures < fewestFailures || failedMs < warnedAfterMs.half || notice?.mailed === false) return null;
  if (failedMs < warnedAfterMs.nine_tenths) return notice ? null : 'half';
  if (notice?.stage !== 'nine_tenths') return 'nine_tenths';
  const warnedMs = (last_delivery_at.getTime() - notice.at.getTime()) / scale;
  return failedMs >= disabledAfterMs && warnedMs >= noticeMs ? 'disabled' : null;
}

export function earliestEnd({ stage, since, at }: Omit<Notice, 'mailed'>, scale: number): Date {
  const end = since.getTime() + disabledAfterMs * scale;
  return new Date(stage === 'nine_tenths' ? Math.max(end, at.getTime() + noticeMs * scale) : end);
}

export function firstWarningBefore(now: Date, scale: number): Date {
  return new Date(now.getTime() - warnedAfterMs.half * scale);
}

/** A success, and a change of the endpoint, end the failures that a notice is about. */
function currentNotice({ notice, failing_since }: Failing): Notice | null {
  return notice?.since.getTime() === failing_since.getTime() ? notice : null;
}
