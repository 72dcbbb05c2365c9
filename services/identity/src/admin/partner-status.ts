import { idText } from '@casewatch/contracts';
import { type Command, transaction } from '@casewatch/platform';
import { z } from 'zod';
import { changePartnerStatus } from '../changes/change-partner.ts';
import type { Partner } from '../store/partners.ts';
import type { AdminContext } from './admin-context.ts';
import { command, RefusedError } from './command.ts';

/** Suspends a partner: their keys are refused everywhere within 2 s, deliveries to them wait; their users go on. */
export const partnerSuspend = setStatus('partner suspend', 'suspended');

/** Lifts a partner's suspension. */
export const partnerReactivate = setStatus('partner reactivate', 'active');

/** Where the status is the same already, nothing changes. */
function setStatus(words: string, status: Partner['status']): Command<AdminContext> {
  return command({
    words,
    form: '--partner 1',
    options: z.strictObject({ partner: idText }),
    async run(ctx, options) {
      const partnerId = options.partner;
      const partner = await transaction(ctx.db, async (tx) => {
        const known = await ctx.stores.partners.find(partnerId, tx);
        if (!known) throw new RefusedError(`There is no partner ${partnerId}.`);
        if (known.status === status) return known;
        return await changePartnerStatus(ctx, tx, { partnerId, status });
      });
      return {
        json: { partner: { id: partner._id, status: partner.status } },
        lines: [`Partner ${partner._id} is ${partner.status}.`],
      };
    },
  });
}
