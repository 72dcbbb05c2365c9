import type { EventHandler } from '@casewatch/platform';
import { askCase } from '../clients/owners.ts';
import type { Context } from '../context.ts';
import { describeCaseVersion } from '../present/describe.ts';
import { takeIn } from './take-in.ts';

/** `status.check_overdue` → `case.check_overdue`: the case, and since when no check came through. */
export function onCheckOverdue(ctx: Context): EventHandler<'status.check_overdue'> {
  return async ({ case: reference, last_checked, since }, bus) => {
    const { id, partner_id: partnerId, user_id: userId } = reference;
    await takeIn(ctx, {
      type: 'case.check_overdue',
      partnerId,
      userId,
      bus,
      async describe() {
        const reply = await askCase(ctx.bus, id, () => true);
        return reply && { case: describeCaseVersion(reply), last_checked, since };
      },
    });
  };
}
