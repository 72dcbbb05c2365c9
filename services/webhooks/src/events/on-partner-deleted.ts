import type { EventHandler } from '@casewatch/platform';
import { erasePartner } from '../changes/erase-partner.ts';
import type { Context } from '../context.ts';

export function onPartnerDeleted(ctx: Context): EventHandler<'partner.deleted'> {
  return ({ partner_id }, { time }) => erasePartner(ctx, partner_id, time);
}
