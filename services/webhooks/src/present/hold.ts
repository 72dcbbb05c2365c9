import type { DeliveryReason } from '@casewatch/contracts';
import type { DeliveryRow } from '../store/delivery-rows.ts';
import type { PartnerState } from '../store/partners.ts';
import type { WebhookRow } from '../store/webhooks.ts';

/** Why an endpoint gets no deliveries now; null if it gets them. */
export type Hold = Extract<
  DeliveryReason,
  'endpoint_disabled' | 'endpoint_inactive' | 'partner_suspended'
> | null;

export function holdOf(
  { active, disabled_at }: Pick<WebhookRow, 'active' | 'disabled_at'>,
  partner: Pick<PartnerState, 'status'> | undefined,
): Hold {
  if (!active) return disabled_at === null ? 'endpoint_inactive' : 'endpoint_disabled';
  return partner?.status === 'suspended' ? 'partner_suspended' : null;
}

/** The stored `due_at` of a delivery that is held passes without an attempt, so it is not shown. */
export function planOf({ status, reason, due_at }: DeliveryRow, hold: Hold) {
  if (status === 'cancelled') return { reason: reason ?? null, nextAt: null };
  if (status !== 'pending') return { reason: null, nextAt: null };
  return { reason: hold, nextAt: hold === null ? due_at : null };
}
