import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { takeIn } from './take-in.ts';

/** `case.deleted`: the ids, which is all that is left. */
export function onCaseDeleted(ctx: Context): EventHandler<'case.deleted'> {
  return async ({ case: reference, version }, bus) => {
    const { id, user_case_id, user_id, partner_id: partnerId } = reference;
    await takeIn(ctx, {
      type: 'case.deleted',
      partnerId,
      userId: user_id,
      bus,
      describe: async () => ({ case: { id, user_case_id, user_id, version } }),
    });
  };
}
