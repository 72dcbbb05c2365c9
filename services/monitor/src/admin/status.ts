import { z } from 'zod';
import { readStatus } from '../scheduling/status.ts';
import { readQuotaUse } from '../sending/quota-use.ts';
import { command } from './command.ts';

/** Titles that our table does not know: the most frequent ones. */
const titlesShown = 20;

/** How the government's service, the quota and the schedule stand. */
export const status = command({
  words: 'status',
  options: z.strictObject({}),
  form: '',
  async run(admin) {
    const [said, quota, control, titles] = await Promise.all([
      readStatus(admin),
      readQuotaUse(admin),
      admin.stores.control.read(),
      admin.stores.unknownTitles.list(titlesShown),
    ]);
    const { health, paused_at } = control;
    const { freshness, capacity, overdue_receipts: overdue } = said;
    const lanes = Object.entries(quota).map(([lane, { used, left }]) => `${lane} ${used} used, ${left} left`);
    const classes = capacity?.by_class.filter(({ receipts }) => receipts > 0) ?? [];
    return {
      json: { ...said, quota, health, paused_at, unknown_titles: titles },
      lines: [
        `government   ${said.upstream}, as of ${said.as_of}${said.sending ? '' : '; nobody sends'}`,
        `operator     ${paused_at ? `paused since ${paused_at.toISOString()}` : 'not paused'}`,
        `breaker      ${health?.breaker ?? 'closed'}${health?.probe_at ? `, next probe ${health.probe_at.toISOString()}` : ''}`,
        `pace         ${Math.round((health?.pace ?? 1) * 100)} % of the rate`,
        `today        ${lanes.join('; ')} (of ${said.daily_budget})`,
        `receipts     ${said.watched_receipts} watched, ${overdue ?? '?'} overdue, ${capacity?.room ?? '?'} more fit in`,
        `need         ${capacity ? `${capacity.needed_per_day} checks a day of ${capacity.available_per_day}, intervals × ${capacity.stretch}` : 'not counted yet'}`,
        ...classes.map(
          (row) => `  ${row.class.padEnd(10)} ${row.receipts} receipts, ${row.needed_per_day} a day`,
        ),
        ...titles.map(
          ({ _id, count, category }) => `unknown title ${JSON.stringify(_id)} (${category}), ${count} times`,
        ),
        `last checks  ${freshness ? `half within ${freshness.p50_seconds} s, 95 % within ${freshness.p95_seconds} s` : 'none yet'}`,
      ],
    };
  },
});
