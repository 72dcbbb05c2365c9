import type { SendRequest } from '@casewatch/contracts';
import { RetryLaterError, transaction } from '@casewatch/platform';
import type { Context, WriteContext } from '../context.ts';
import { newDirectUser } from '../domain/new-user.ts';
import { queueVerification } from '../changes/queue-verification.ts';
import { takeRecipientLimit } from '../limits/recipient-limits.ts';
import type { AddressRequest } from '../store/address-requests.ts';
import { addUser } from '../changes/change-user.ts';
import { isAddressTaken } from '../store/users.ts';

type Parts = WriteContext & Pick<Context, 'config' | 'ids' | 'macs' | 'newId' | 'verificationMails'>;

/**
 * Decides what somebody unknown asked about an address: only here is looked up whether anybody has it. Returns the mail
 * that says that the address is taken; verification mails go their own way.
 * @throws RetryLaterError where another sign-up with the address came first: it is taken the next time
 */
export async function settleAddressRequest(parts: Parts, id: string): Promise<SendRequest | null> {
  const request = await parts.stores.addressRequests.find(id);
  if (!request) return null;
  if (request.kind === 'resend_verification') {
    await resendToUnverified(parts, request);
    return null;
  }
  const user = await parts.stores.users.ofTenant(null, request.email_lower);
  if (!user) {
    await signUp(parts, request);
    return null;
  }
  if (!(await isWithinRecipientLimit(parts, request))) return null;
  return {
    kind: 'address_taken',
    message_id: `taken-${id}`,
    to: user.email,
    language: user.preferred_language,
    expires_at: request.expires_at.toISOString(),
    user_id: user._id,
  };
}

async function signUp(parts: Parts, request: AddressRequest): Promise<void> {
  const user = newDirectUser({
    id: await parts.ids.next('users'),
    email: request.email,
    notifyByEmail: request.notify_by_email,
    language: request.language,
    now: parts.clock.now(),
  });
  try {
    await transaction(parts.db, async (session) => {
      await addUser(parts, session, user);
      await queueVerification(parts, user, session);
      await parts.stores.addressRequests.remove(request._id, session);
    });
  } catch (error) {
    // The database's own words hold the address, so they are not passed on to the log.
    if (isAddressTaken(error)) throw new RetryLaterError('another sign-up with this address came first');
    throw error;
  }
  parts.verificationMails.wake();
}

/** Counted once, however often the mail is handed over to the notifier. */
async function isWithinRecipientLimit(parts: Parts, request: AddressRequest): Promise<boolean> {
  if (request.counted_at) return true;
  return await transaction(parts.db, async (session) => {
    const freeAt = await takeRecipientLimit(parts, request.email_lower, session);
    if (freeAt !== null) return false;
    await parts.stores.addressRequests.noteCounted(request._id, parts.clock.now(), session);
    return true;
  });
}

async function resendToUnverified(parts: Parts, request: AddressRequest): Promise<void> {
  await transaction(parts.db, async (session) => {
    const users = await parts.stores.users.withAddress(request.email_lower, session);
    for (const user of users.filter(({ email_verified_at }) => email_verified_at === null)) {
      await parts.stores.users.noteVerification(user._id, parts.clock.now(), session);
      await queueVerification(parts, user, session);
    }
    await parts.stores.addressRequests.remove(request._id, session);
  });
  parts.verificationMails.wake();
}
