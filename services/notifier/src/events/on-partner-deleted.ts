import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { erasePartner } from '../firm/erase-firm.ts';

/** The tombstone comes first: news that is stored in parallel finds it afterwards. */
export function onPartnerDeleted(ctx: Context): EventHandler<'partner.deleted'> {
  return async ({ partner_id }, { time }) => {
    await ctx.stores.partnerTombstones.add(partner_id, time);
    await erasePartner(ctx, partner_id);
    ctx.log.info({ partner_id }, 'news and mails of an erased partner deleted');
  };
}
