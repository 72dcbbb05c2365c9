import { until as untilOnce, type Waiting } from '@casewatch/driver';

/** Any request to a cluster may fail for a moment. */
export const again = { intervalMs: 500, retryIf: () => true };

export function until<T>(fn: () => Promise<T>, waiting: Waiting) {
  return untilOnce(fn, { ...again, ...waiting });
}
