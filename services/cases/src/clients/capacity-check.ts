import { ApiError, type Bus, type Logger, withoutTimeLimit } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';

export type CapacityCheck = {
  /** @throws ApiError service_unavailable if the USCIS quota is too small for more cases */
  assertCapacity(): Promise<void>;
};

const cacheMs = 10_000;
const deadlineMs = 500;
const retryAfterS = 3_600;

/** Asks the monitor for capacity. No answer admits the case: a needed first check fails by itself. */
export function createCapacityCheck(bus: Bus, log: Logger): CapacityCheck {
  async function fetchCapacity(): Promise<boolean> {
    try {
      return (await bus.request('monitor.status', {}, { deadlineMs })).accepts_new_cases;
    } catch (error) {
      log.debug({ err: error }, 'monitor.status unavailable; admitting the case');
      return true;
    }
  }

  // Several callers share an answer, so it must not end with the first caller's time limit.
  const hasCapacity = new LRUCache<'capacity', boolean>({
    max: 1,
    ttl: cacheMs,
    fetchMethod: () => withoutTimeLimit(fetchCapacity),
  });
  return {
    async assertCapacity() {
      if (await hasCapacity.forceFetch('capacity')) return;
      throw new ApiError('service_unavailable', {
        message:
          'New cases are not accepted at the moment: the USCIS quota is fully used by the cases already monitored.',
        detail: 'the planned median interval between two checks is longer than the limit',
        retryAfterS,
      });
    },
  };
}
