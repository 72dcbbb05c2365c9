import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { describeCaseVersion } from '../present/describe.ts';
import { ingestEvent } from './ingest-event.ts';

export function onMonitoringChanged(ctx: Context): EventHandler<'status.monitoring_changed'> {
  return async ({ case: owner, state, since, next_check_at, revision }, bus) => {
    await ingestEvent(ctx, {
      type: 'case.monitoring_changed',
      owner,
      bus,
      async describe() {
        const reply = await ctx.owners.fetchCase(owner.id);
        const monitoring = { state, since, next_check_at, revision };
        return reply && { case: describeCaseVersion(reply), monitoring };
      },
    });
  };
}
