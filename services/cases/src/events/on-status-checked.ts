import type { EventData } from '@casewatch/contracts';
import type { Context } from '../context.ts';

/** Checks without a change. */
export function onStatusChecked(ctx: Context) {
  return async ({ case_ids, checked_at, next_check_at }: EventData<'status.checked'>): Promise<void> => {
    const next = next_check_at === null ? null : new Date(next_check_at);
    await ctx.stores.cases.setChecked(case_ids, new Date(checked_at), next);
  };
}
