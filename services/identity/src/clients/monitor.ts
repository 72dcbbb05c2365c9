import type { Bus, Logger } from '@casewatch/platform';

/** A partner's live checks a day; null without an answer, so that the profile does not depend on the monitor. */
export async function findLiveChecksPerDay(
  { bus, log }: { bus: Bus; log: Logger },
  partnerId: number,
): Promise<number | null> {
  try {
    return (await bus.request('monitor.share', { partner_id: partnerId })).live_checks_per_day;
  } catch (error) {
    log.warn({ err: error }, 'monitor.share unavailable; the profile shows no live checks');
    return null;
  }
}
