import {
  type Channel,
  channel as channels,
  type PersonWith,
  type RecipientSuppression,
} from '@casewatch/contracts';
import { fetchPeople } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { isAddressProven, isOver } from '../domain/suppression.ts';
import { blockedUsers } from '../store/blocked-users.ts';

export type Recipient = { readonly userId: number; readonly channel: Channel };

const fields = [
  'email',
  'name',
  'phone',
  'notify_by_email',
  'notify_by_whatsapp',
  'email_verified_at',
  'updated_at',
] as const;
type User = PersonWith<(typeof fields)[number]>;

type Found = {
  readonly user: User;
  readonly channel: Channel;
  readonly reason: RecipientSuppression['reason'];
  readonly at: Date;
};

/** The recipients of the partner whom status messages do not reach at the moment, as sending decides it. */
export async function findSuppressions(
  ctx: Context,
  recipients: readonly Recipient[],
  partnerId: number,
): Promise<Found[]> {
  const userIds = recipients.map(({ userId }) => userId);
  const users = await fetchPeople(ctx.bus, userIds, { fields, partnerId });
  const onChannel = async (channel: Channel) => {
    const own = recipients.flatMap((recipient) => {
      const user = recipient.channel === channel ? users.get(recipient.userId) : undefined;
      return user ? [user] : [];
    });
    return await suppressedAmong(ctx, channel, own);
  };
  return (await Promise.all(channels.options.map(onChannel))).flat();
}

async function suppressedAmong(ctx: Context, channel: Channel, users: readonly User[]): Promise<Found[]> {
  const ids = users.map(({ id }) => id);
  const [unsubscribed, blocked] = await Promise.all([
    ctx.stores.suppressions.findAll(ids, channel),
    blockedUsers(ctx, channel, users),
  ]);
  return users.flatMap((user): Found[] => {
    const own = unsubscribed.get(user.id);
    if (own && !isOver(own, user, channel)) return [{ user, channel, reason: own.reason, at: own.at }];
    const address = blocked.get(user.id);
    const isProven = address && channel === 'email' && isAddressProven(address, user.email_verified_at);
    return address && !isProven ? [{ user, channel, reason: address.reason, at: address.at }] : [];
  });
}
