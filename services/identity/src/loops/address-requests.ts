import type { SendRequest } from '@casewatch/contracts';
import { RetryLaterError, type Running } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { addUser } from '../changes/change-user.ts';
import { queueVerification } from '../changes/queue-verification.ts';
import type { Context } from '../context.ts';
import { newDirectUser } from '../domain/new-user.ts';
import { isUnverified } from '../domain/user.ts';
import { takeRecipientLimit } from '../limits/mail-limits.ts';
import type { AddressRequest } from '../store/address-requests.ts';
import { isAddressTaken } from '../store/users.ts';
import { startMailLoop } from './mail-loop.ts';

/** Processes anonymous requests about addresses. Only here an address is looked up. */
export function processAddressRequests(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'address requests',
    queue: ctx.stores.addressRequests.mails,
    compose: (id) => processAddressRequest(ctx, id),
    sweepMs: ctx.config.ADDRESS_BATCH_MS,
    signal: 'addressRequests',
  });
}

/** Returns the mail that the address is taken; verification mails have their own queue. */
async function processAddressRequest(ctx: Context, id: string): Promise<SendRequest | null> {
  const request = await ctx.stores.addressRequests.find(id);
  if (!request) return null;
  if (request.kind === 'resend_verification') {
    await resendToUnverified(ctx, request);
    return null;
  }
  const user = await ctx.stores.users.findInTenant(null, request.email_lower);
  if (!user) {
    await signUp(ctx, request);
    return null;
  }
  if (!(await isWithinRecipientLimit(ctx, request))) return null;
  return {
    kind: 'address_taken',
    message_id: `taken-${id}`,
    to: user.email,
    language: user.preferred_language,
    expires_at: request.expires_at.toISOString(),
    user_id: user._id,
  };
}

async function signUp(ctx: Context, request: AddressRequest): Promise<void> {
  const user = newDirectUser({
    id: await ctx.ids.next('users'),
    email: request.email,
    notifyByEmail: request.notify_by_email,
    language: request.language,
    now: ctx.clock.now(),
  });
  try {
    await transaction(ctx.db, async (tx) => {
      await addUser(ctx, tx, user);
      await queueVerification(ctx, user, tx);
      await ctx.stores.addressRequests.remove(request._id, tx);
    });
  } catch (error) {
    // MongoDB's message holds the address, which must not be logged.
    if (isAddressTaken(error)) throw new RetryLaterError('a concurrent sign-up with this address came first');
    throw error;
  }
  ctx.signals.emit('verificationMails');
}

/** Counted once, also when sending is retried. */
async function isWithinRecipientLimit(ctx: Context, request: AddressRequest): Promise<boolean> {
  if (request.counted_at) return true;
  return await transaction(ctx.db, async (tx) => {
    const freeAt = await takeRecipientLimit(ctx, request.email_lower, tx);
    if (freeAt !== null) return false;
    await ctx.stores.addressRequests.recordCounted(request._id, ctx.clock.now(), tx);
    return true;
  });
}

async function resendToUnverified(ctx: Context, request: AddressRequest): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const users = await ctx.stores.users.findByEmail(request.email_lower, tx);
    for (const user of users.filter(isUnverified)) {
      await ctx.stores.users.recordVerificationMail(user._id, ctx.clock.now(), tx);
      await queueVerification(ctx, user, tx);
    }
    await ctx.stores.addressRequests.remove(request._id, tx);
  });
  ctx.signals.emit('verificationMails');
}
