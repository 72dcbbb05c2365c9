import { baseIntervalMs } from '../../../../services/monitor/src/domain/schedule.ts';

/** After so long a receipt of the bench, whose class is `normal`, is checked again in production, ms. */
export const productionIntervalMs = baseIntervalMs('normal');

/** The MONITOR_INTERVAL_SCALE with which it is checked again after `intervalMs`. */
export function scaleOf(intervalMs: number): number {
  return intervalMs / productionIntervalMs;
}
