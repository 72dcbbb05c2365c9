import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** Deliveries of a suspended partner wait (interface.md §4, Tokens). */
export function onPartnerUpdated(ctx: Context): EventHandler<'partner.updated'> {
  return async ({ partner_id, status, version }) => {
    await ctx.stores.partners.setStatus(partner_id, status, version);
  };
}
