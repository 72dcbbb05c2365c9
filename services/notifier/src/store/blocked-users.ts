import type { Channel, PersonWith } from '@casewatch/contracts';
import type { AddressHashes } from '../clients/address-hashes.ts';
import { addressOf } from '../domain/skip-reason.ts';
import type { AddressSuppression } from '../domain/suppression.ts';
import type { Stores } from './stores.ts';

type Sources = { readonly stores: Stores; readonly addressHashes: AddressHashes };

/** Users whose present address on the channel is suppressed, by id. */
export async function blockedUsers(
  { stores, addressHashes }: Sources,
  channel: Channel,
  users: readonly PersonWith<'email' | 'phone'>[],
): Promise<Map<number, AddressSuppression>> {
  const hashes = new Map(
    users.map((user) => [user.id, addressHashes.all(channel, addressOf(user, channel) ?? '')]),
  );
  const found = await stores.addressSuppressions.findAll([...hashes.values()].flat());
  const blocked = new Map<number, AddressSuppression>();
  for (const [userId, ofUser] of hashes)
    for (const hash of ofUser) {
      const suppression = found.get(hash);
      if (suppression) blocked.set(userId, suppression);
    }
  return blocked;
}
