import { planFor } from '../../src/domain/plan.ts';
import type { ScheduleParams } from '../../src/domain/schedule.ts';

/** A schedule with more quota than receipts, of which nothing has been learnt. */
export const scheduleParams: ScheduleParams = {
  plan: planFor(new Map(), { perDay: 10_000, scale: 1 }),
  rates: new Map(),
  hours: null,
};
