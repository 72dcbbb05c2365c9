import type { Context } from '../context.ts';
import { nextBatchTick } from '../domain/batch-tick.ts';
import { toEmailLower } from '../domain/user.ts';
import type { AddressRequest } from '../store/address-requests.ts';

const lifetimeMs = 24 * 60 * 60 * 1000;

type Request = Pick<AddressRequest, 'kind' | 'email' | 'language' | 'notify_by_email'>;

export async function queueAddressRequest(ctx: Context, request: Request): Promise<void> {
  const now = ctx.clock.now();
  await ctx.stores.addressRequests.insert({
    ...request,
    _id: ctx.newId(),
    email_lower: toEmailLower(request.email),
    created_at: now,
    expires_at: new Date(now.getTime() + lifetimeMs),
    delivery: await ctx.stores.addressRequests.mails.newDelivery(nextBatchTick(ctx.config.ADDRESS_BATCH_MS)),
  });
  // For every address, so the signal says nothing about it. The request is due at the next tick.
  ctx.signals.emit('addressRequests');
}
