import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { giveBackLimit, type LimitUse, tryLimits } from './take-limits.ts';

/** Shortest time between two requested verification mails, ms. */
export const resendMinuteMs = 60_000;

const hourMs = 60 * resendMinuteMs;
const recipientHour = { max: 3, windowMs: hourMs };
const recipientDay = { max: 10, windowMs: 24 * hourMs };
const resendMinute = { max: 1, windowMs: resendMinuteMs };
const resendDay = { max: 5, windowMs: 24 * hourMs };

/**
 * Counts one mail to an address; null if it is allowed, else when the next one is. All operations and tenants share the limit
 * (interface.md §1). Links that undo a change have none: others could use up the owner's limit.
 */
export async function takeRecipientLimit(
  ctx: Context,
  emailLower: string,
  tx: Session,
): Promise<Date | null> {
  const ofHour = { name: 'recipient-hour', subject: emailLower, limit: recipientHour };
  const ofDay = { name: 'recipient-day', subject: emailLower, limit: recipientDay };
  const hourFreeAt = await tryLimits(ctx, [ofHour], tx);
  if (hourFreeAt !== null) return hourFreeAt;
  const dayFreeAt = await tryLimits(ctx, [ofDay], tx);
  // No mail was sent: one that is tried again and again must not use up the hour in which the next day begins.
  if (dayFreeAt !== null) await giveBackLimit(ctx, ofHour, tx);
  return dayFreeAt;
}

/** Limits of resending to one address (interface.md §1). Each tenant has its own, so it learns nothing from another's. */
export function resendLimits(tenant: number | 'direct' | 'anonymous', emailLower: string): LimitUse[] {
  const subject = `${tenant}\0${emailLower}`;
  return [
    { name: 'resend-minute', subject, limit: resendMinute },
    { name: 'resend-day', subject, limit: resendDay },
  ];
}
