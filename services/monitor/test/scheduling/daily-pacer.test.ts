import { expect, it } from '@jest/globals';
import type { Context } from '../../src/context.ts';
import { createQuotaDays } from '../../src/domain/quota-day.ts';
import { createDailyPacer } from '../../src/scheduling/daily-pacer.ts';

it('the day is spread by one moment, also when midnight passes meanwhile', async () => {
  const moments = ['2026-11-21T23:59:59.999Z', '2026-11-22T00:00:00.001Z'].map((time) => new Date(time));
  const asked: string[] = [];
  const quotaDays = createQuotaDays('UTC', null);
  const ctx = {
    config: { USCIS_DAILY_BUDGET: 10_000, MONITOR_AHEAD_HOURS: 1 },
    clock: { now: () => moments.shift() },
    quotaDays: {
      ...quotaDays,
      openMsLeft(now: Date) {
        asked.push(quotaDays.at(now).day);
        return quotaDays.openMsLeft(now);
      },
    },
    async readQuotaUse(now: Date) {
      asked.push(quotaDays.at(now).day);
      return { interactive: { used: 0, left: 3_000 }, background: { used: 9_000, left: 1_000 } };
    },
  };
  await createDailyPacer(ctx as unknown as Context).refresh();
  expect(asked).toEqual(['2026-11-21', '2026-11-21']);
});
