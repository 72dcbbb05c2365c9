import type { Session } from '@casewatch/platform/database';
import type { WriteContext } from '../context.ts';
import { isUnverified, nameFromEmail, toEmailLower, type User } from '../domain/user.ts';
import { changeUser, deleteLoginCodes } from './change-user.ts';

type Verification = {
  user: User;
  now: Date;
  except?: string;
};

/**
 * Marks the present address as verified, in the caller's transaction. The first time, all other sessions end and links that
 * undo a change are void (interface.md §4). Call it last: revocations conflict with each other.
 */
export async function verifyAddress(
  ctx: WriteContext,
  tx: Session,
  { user, now, except }: Verification,
): Promise<User> {
  if (!isUnverified(user)) return user;
  const { stores } = ctx;
  const verified = await changeUser(ctx, tx, { user, set: firstVerification(user, now) });
  await stores.emailChanges.voidAll(user._id, now, tx);
  await stores.emailChangeLinks.voidAll(user._id, now, tx);
  const ended = await stores.sessions.endAll(user._id, except ?? null, now, tx);
  // Few users have a session here, and every revocation writes the same row.
  if (ended > 0) await stores.revocations.add(tx, { kind: 'user', id: user._id });
  return verified;
}

/**
 * Another person may have typed the data of a direct user, so the first verification clears it (interface.md §4, update
 * user). A partner is responsible for the data of its users.
 */
function firstVerification(user: User, now: Date): Partial<User> {
  const verified = { email_verified_at: now, pending_email: null };
  if (user.partner_id !== null) return verified;
  const cleared = { phone: null, notify_by_whatsapp: false, whatsapp_consent: null };
  return { ...verified, ...cleared, name: nameFromEmail(user.email) };
}

/** The requested address becomes the user's verified address, in the caller's transaction. */
export async function applyNewAddress(
  ctx: WriteContext,
  tx: Session,
  { user, newEmail, ...verification }: Verification & { newEmail: string },
): Promise<User> {
  const address = { email: newEmail, email_lower: toEmailLower(newEmail) };
  const set = { ...address, email_verified_at: null, pending_email: null };
  const moved = await changeUser(ctx, tx, { user, set });
  await ctx.stores.emailVerifications.voidAll(user._id, verification.now, tx);
  await ctx.stores.verificationReminders.removeAll(user._id, tx);
  await ctx.stores.emailChangeLinks.markVerified(user._id, verification.now, tx);
  await deleteLoginCodes(ctx, tx, user.email_lower);
  return await verifyAddress(ctx, tx, { ...verification, user: moved });
}
