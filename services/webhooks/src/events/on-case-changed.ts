import type { EventHandler } from '@casewatch/platform';
import { askCase } from '../clients/owners.ts';
import type { Context } from '../context.ts';
import { describeCaseVersion } from '../present/describe.ts';
import { takeIn } from './take-in.ts';

type Change = 'case.created' | 'case.updated';

/** `case.created`, `case.updated`: the case as it is after the change. */
export function onCaseChanged(type: Change) {
  return (ctx: Context): EventHandler<Change> =>
    async ({ case: reference, version }, bus) => {
      const { id, partner_id: partnerId, user_id: userId } = reference;
      await takeIn(ctx, {
        type,
        partnerId,
        userId,
        bus,
        async describe() {
          const reply = await askCase(ctx.bus, id, (known) => known.version >= version);
          return reply && { case: describeCaseVersion(reply) };
        },
      });
    };
}
