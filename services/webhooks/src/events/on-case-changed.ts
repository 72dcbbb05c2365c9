import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { describeCaseVersion } from '../domain/describe.ts';
import { askCase } from './ask-owner.ts';
import { takeIn } from './take-in.ts';

/** `case.created`, `case.updated`: the case as it is after the change. */
export function onCaseChanged(
  ctx: Context,
  type: 'case.created' | 'case.updated',
): EventHandler<'case.created' | 'case.updated'> {
  return async ({ case: reference, version }, bus) => {
    const { id, partner_id: partnerId, user_id: userId } = reference;
    await takeIn(ctx, {
      type,
      partnerId,
      userId,
      bus,
      async describe() {
        const reply = await askCase(ctx, id, (known) => known.version >= version);
        return reply && { case: describeCaseVersion(reply) };
      },
    });
  };
}
