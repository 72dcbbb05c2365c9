import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { partnerShareOf } from '../domain/shares.ts';

export function answerShare({ config, stores }: Context): RequestHandler<'monitor.share'> {
  return async ({ partner_id }) => {
    const limit = await stores.callerShares.limitOf(partner_id);
    return { live_checks_per_day: partnerShareOf(config, limit) };
  };
}
