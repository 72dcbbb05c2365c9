import { ApiError, type Bus, type Logger, withoutTimeLimit } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';

/** Refuses new cases where the monitor could not check them often enough. */
export type Admission = {
  /** @throws ApiError service_unavailable with the reason */
  admit(): Promise<void>;
};

/** The monitor is asked once in so many ms: its word changes slowly. */
const keptMs = 10_000;
/** Longest that a creation waits for it, ms. */
const deadlineMs = 500;
/** When it is worth asking again, s: receipts leave the schedule slowly. */
const retryAfterS = 3_600;

/**
 * New cases are refused where the government's quota is so small that receipts wait too long already (monitor.md,
 * Schedule). A monitor that does not answer refuses nobody: where a check is needed, that says so itself.
 */
export function createAdmission(bus: Bus, log: Logger): Admission {
  async function ask(): Promise<boolean> {
    try {
      return (await bus.request('monitor.status', {}, { deadlineMs })).accepts_new_cases;
    } catch (error) {
      log.debug({ err: error }, 'monitor.status unavailable; admitting the case');
      return true;
    }
  }

  // Others wait for the same answer: it does not end with the first caller's time.
  const hasRoom = new LRUCache<'room', boolean>({
    max: 1,
    ttl: keptMs,
    fetchMethod: () => withoutTimeLimit(ask),
  });
  return {
    async admit() {
      if (await hasRoom.forceFetch('room')) return;
      throw new ApiError('service_unavailable', {
        message:
          'New cases are not accepted at the moment: the USCIS quota is fully used by the cases already monitored.',
        detail: 'intervals are stretched beyond the monitor’s limit',
        retryAfterS,
      });
    },
  };
}
