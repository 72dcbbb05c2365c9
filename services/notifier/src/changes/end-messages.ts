import type { Channel } from '@casewatch/contracts';
import { fetchUser } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import { optOut } from './opt-out.ts';

/** The person at this address wants no more messages there: suppresses it, and opts its users out. @returns their number */
export async function endMessages(ctx: Context, channel: Channel, address: string): Promise<number> {
  const hash = ctx.addressHashes.current(channel, address);
  await ctx.stores.addressSuppressions.add(hash, { reason: 'opt_out', days: null });
  const userIds = await ctx.stores.recipients.usersOf(ctx.addressHashes.all(channel, address));
  for (const userId of userIds) await optOut(ctx, { userId, channel }, await fetchUser(ctx, userId));
  return userIds.length;
}
