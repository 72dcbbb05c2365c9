import type { Channel } from '@casewatch/contracts';
import { type Session, transaction } from '@casewatch/platform/database';
import { fetchUser } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import type { AddressSuppression } from '../domain/suppression.ts';
import { optOut } from './opt-out.ts';

/** `earlier`: suppressions of the address until now. */
type Ended = { userIds: readonly number[]; earlier: readonly AddressSuppression[] };

/**
 * The person at this address wants no more messages there: suppresses it, and opts its users out. `along` stores more in the
 * transaction of the suppression. @returns the number of users
 */
export async function endMessages(
  ctx: Context,
  { channel, address }: { channel: Channel; address: string },
  along?: (session: Session, ended: Ended) => Promise<unknown>,
): Promise<number> {
  const { addressSuppressions, recipients } = ctx.stores;
  const hashes = ctx.addressHashes.all(channel, address);
  const userIds = await recipients.usersOf(hashes);
  await transaction(ctx.db, async (session) => {
    const earlier = [...(await addressSuppressions.findAll(hashes, session)).values()];
    const optedOut = { reason: 'opt_out', days: null } as const;
    await addressSuppressions.add(ctx.addressHashes.current(channel, address), optedOut, session);
    await along?.(session, { userIds, earlier });
  });
  for (const userId of userIds) await optOut(ctx, { userId, channel }, await fetchUser(ctx, userId));
  return userIds.length;
}
