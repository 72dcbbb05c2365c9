import type { EventHandler } from '@casewatch/platform';
import { askCase } from '../clients/owners.ts';
import type { Context } from '../context.ts';
import { describeCaseVersion } from '../present/describe.ts';
import { takeIn } from './take-in.ts';

/** `status.monitoring_changed` → `case.monitoring_changed`: the case, and how its watching fares now. */
export function onMonitoringChanged(ctx: Context): EventHandler<'status.monitoring_changed'> {
  return async ({ case: reference, state, since, next_check_at, revision }, bus) => {
    const { id, partner_id: partnerId, user_id: userId } = reference;
    await takeIn(ctx, {
      type: 'case.monitoring_changed',
      partnerId,
      userId,
      bus,
      async describe() {
        const reply = await askCase(ctx.bus, id, () => true);
        const monitoring = { state, since, next_check_at, revision };
        return reply && { case: describeCaseVersion(reply), monitoring };
      },
    });
  };
}
