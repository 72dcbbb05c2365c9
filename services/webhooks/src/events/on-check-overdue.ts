import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { describeCaseVersion } from '../present/describe.ts';
import { ingestEvent } from './ingest-event.ts';

export function onCheckOverdue(ctx: Context): EventHandler<'status.check_overdue'> {
  return async ({ case: owner, last_checked, since }, bus) => {
    await ingestEvent(ctx, {
      type: 'case.check_overdue',
      owner,
      bus,
      async describe() {
        const reply = await ctx.owners.fetchCase(owner.id);
        return reply && { case: describeCaseVersion(reply), last_checked, since };
      },
    });
  };
}
