import { id } from '@casewatch/contracts';
import { acted, actedFor, defineCommand } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { z } from 'zod';
import type { SharedContext } from '../context.ts';
import { partnerShareOf } from '../domain/shares.ts';

/** Recorded for the partner, in the transaction of the change (firm.md §2). */
export const share = defineCommand({
  words: 'share',
  options: z.strictObject({
    partner: z.coerce.number().pipe(id),
    'per-day': z.union([z.literal('default'), z.coerce.number().pipe(z.int().min(0))]),
  }),
  form: '--partner 1 --per-day 1000 | default',
  async run({ config, db, stores }: SharedContext, flags) {
    const own = flags['per-day'] === 'default' ? null : flags['per-day'];
    await transaction(db, async (tx) => {
      actedFor(flags.partner);
      acted('partner', flags.partner);
      await stores.callerShares.setLimit(flags.partner, own, tx);
    });
    const perDay = partnerShareOf(config, own);
    return {
      json: { partner_id: flags.partner, live_checks_per_day: perDay, own: own !== null },
      lines: [`Partner ${flags.partner} can make ${perDay} live checks per day.`],
    };
  },
});
