import type { Bus, Logger } from '@casewatch/platform';

/** How many live checks a partner may make a day; null where the monitor does not answer: a profile does not wait for it. */
export async function findLiveChecksPerDay(
  { bus, log }: { bus: Bus; log: Logger },
  partnerId: number,
): Promise<number | null> {
  try {
    return (await bus.request('monitor.share', { partner_id: partnerId })).live_checks_per_day;
  } catch (error) {
    log.warn({ err: error }, 'a partner’s live checks are not known');
    return null;
  }
}
