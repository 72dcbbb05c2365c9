import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

export function onCheckOverdue(ctx: Context): EventHandler<'status.check_overdue'> {
  return async ({ case: { id }, since }) => {
    await ctx.stores.cases.setOverdue(id, new Date(since));
  };
}
