import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { describeCaseVersion } from '../present/describe.ts';
import { ingestEvent } from './ingest-event.ts';

type Change = 'case.created' | 'case.updated';

export function onCaseChanged(type: Change) {
  return (ctx: Context): EventHandler<Change> =>
    async ({ case: owner, version }, bus) => {
      await ingestEvent(ctx, {
        type,
        owner,
        bus,
        async describe() {
          const reply = await ctx.owners.fetchCase(owner.id, { version });
          return reply && { case: describeCaseVersion(reply) };
        },
      });
    };
}
