import { until as untilOnce, type Waiting } from '@casewatch/driver';

/** In a cluster every request may fail for a moment: it is sent again. */
export const again = { intervalMs: 500, retryIf: () => true };

/** `until` of the driver, which tries again after an error. */
export function until<T>(ask: () => Promise<T>, waiting: Waiting) {
  return untilOnce(ask, { ...again, ...waiting });
}
