import type { Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { tryLimits } from './take-limits.ts';

const hourMs = 60 * 60 * 1000;
const perHour = { max: 3, windowMs: hourMs };
const perDay = { max: 10, windowMs: 24 * hourMs };

/**
 * Counts one mail to an e-mail address, in the caller's transaction. Null if it may be sent, else when the next one may. The
 * limit holds over all operations and tenants (interface.md §1), so that the address of a stranger cannot be flooded.
 * Login codes have limits of their own. The link that undoes a change of address has none: it goes to an address that its
 * owner has just proven, and others must not be able to use up its limit.
 */
export async function takeRecipientLimit(
  ctx: Context,
  emailLower: string,
  tx: Session,
): Promise<Date | null> {
  const limits = [
    { name: 'recipient-hour', subject: emailLower, limit: perHour },
    { name: 'recipient-day', subject: emailLower, limit: perDay },
  ];
  return await tryLimits(ctx, limits, tx);
}
