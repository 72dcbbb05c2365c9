import type { Bus } from '@casewatch/platform';

/**
 * How many cases the users of a partner have.
 * @throws ApiError service_unavailable where cases does not answer
 */
export async function countCases(bus: Bus, partnerId: number): Promise<number> {
  return (await bus.request('cases.count', { partner_id: partnerId })).cases;
}
