import type { EventHandler } from '@casewatch/platform';
import { fetchCase } from '../clients/owners.ts';
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
          const reply = await fetchCase(ctx.bus, owner.id, (current) => current.version >= version);
          return reply && { case: describeCaseVersion(reply) };
        },
      });
    };
}
