import { defineCommand } from '@casewatch/platform';
import { z } from 'zod';
import type { SharedContext } from '../context.ts';
import { readStatus } from '../scheduling/status.ts';

const maxTitles = 20;

export const status = defineCommand({
  words: 'status',
  options: z.strictObject({}),
  form: '',
  async run(admin: SharedContext) {
    const [state, quota, control, titles, held] = await Promise.all([
      readStatus(admin),
      admin.readQuotaUse(),
      admin.stores.control.read(),
      admin.stores.unknownTitles.list(maxTitles),
      admin.stores.receipts.countHeld(),
    ]);
    const { health, paused_at, refusals, answered_at } = control;
    const { capacity, overdue_receipts: overdue } = state;
    const lanes = Object.entries(quota).map(
      ([lane, { used, left }]) => `${lane} ${used} used, up to ${left} left`,
    );
    return {
      json: { ...state, quota, health, paused_at, refusals, held_receipts: held, unknown_titles: titles },
      lines: [
        `USCIS        ${state.upstream}${answered_at ? '' : ', has not answered yet'}, as of ${state.as_of}${state.sending ? '' : '; no replica is sending'}`,
        `operator     ${paused_at ? `paused since ${paused_at.toISOString()}` : 'not paused'}`,
        `breaker      ${health?.breaker ?? 'closed'}${health?.quota_spent ? ': USCIS says that our quota is spent' : ''}${health?.probe_at ? `, next probe ${health.probe_at.toISOString()}` : ''}`,
        `pace         ${Math.round((health?.pace ?? 1) * 100)} % of the rate${health?.rest_until ? `; nothing before ${health.rest_until.toISOString()} (Retry-After)` : ''}`,
        `today        ${lanes.join('; ')} (${state.daily_budget} together)`,
        `receipts     ${state.watched_receipts} watched, ${overdue ?? '?'} overdue, room for ${capacity?.room ?? '?'} more`,
        `held         ${held} changed receipts wait for release or drop-held`,
        ...Object.entries(refusals).map(
          ([result, { message, at }]) =>
            `USCIS said   ${result} at ${at.toISOString()}: ${JSON.stringify(message)}`,
        ),
        `need         ${capacity ? `${capacity.needed_per_day} of ${capacity.available_per_day} available checks per day` : 'no statistics yet'}`,
        ...titles.map(
          ({ _id, count, category }) => `unknown title ${JSON.stringify(_id)} (${category}), ${count} times`,
        ),
      ],
    };
  },
});
