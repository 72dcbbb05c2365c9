import type { Context } from '../context.ts';
import { nextBatchTick } from '../domain/settlement.ts';
import { toEmailLower } from '../domain/user.ts';
import type { AddressRequest } from '../store/address-requests.ts';

/** How long it is tried to settle a request, ms. */
const lifetimeMs = 24 * 60 * 60 * 1000;

type Asked = Pick<AddressRequest, 'kind' | 'email' | 'language' | 'notify_by_email'>;

/** Keeps what somebody unknown asked about an address until the loop settles it: one write, whatever the address. */
export async function queueAddressRequest(ctx: Context, asked: Asked): Promise<void> {
  const now = ctx.clock.now();
  await ctx.stores.addressRequests.insert({
    ...asked,
    _id: ctx.newId(),
    email_lower: toEmailLower(asked.email),
    created_at: now,
    expires_at: new Date(now.getTime() + lifetimeMs),
    delivery: await ctx.stores.addressRequests.mails.newDelivery(nextBatchTick),
  });
}
