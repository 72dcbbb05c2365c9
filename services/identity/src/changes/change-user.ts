import { RetryLaterError, type Session } from '@casewatch/platform';
import type { Context, WriteContext } from '../context.ts';
import { signInEmailsOf } from '../credentials/sign-in-place.ts';
import type { User } from '../domain/user.ts';
import { AddressTakenError } from '../store/users.ts';

/**
 * Writes a change of a user with its event, in the caller's transaction.
 * @throws RetryLaterError (503) if the row is no longer the one that was decided on; inside a transaction that does not happen
 * @throws AddressTakenError
 */
export async function changeUser(
  ctx: WriteContext,
  session: Session,
  { user, set }: { user: User; set: Partial<User> },
): Promise<User> {
  if (set.email_lower !== undefined && set.email_lower !== user.email_lower) {
    await refuseTaken(ctx, session, { ...user, email_lower: set.email_lower });
  }
  const row = await ctx.stores.users.save(user, { ...set, updated_at: ctx.clock.now() }, session);
  if (!row) throw new RetryLaterError('the user changed meanwhile');
  const isNewlyVerified = user.email_verified_at === null && row.email_lower === user.email_lower;
  if (isNewlyVerified && set.email_verified_at instanceof Date) {
    const verifiedAt = set.email_verified_at.toISOString();
    const data = { ...factsOf(row), email_verified_at: verifiedAt };
    await ctx.outbox.add(session, 'user.email_verified', aboutUser(row), data);
  } else {
    await ctx.outbox.add(session, 'user.updated', aboutUser(row), factsOf(row));
  }
  return row;
}

/**
 * Writes a new user with its event, in the caller's transaction.
 * @throws AddressTakenError
 */
export async function addUser(ctx: WriteContext, session: Session, user: User): Promise<void> {
  await refuseTaken(ctx, session, user);
  await ctx.stores.users.insert(user, session);
  await ctx.outbox.add(session, 'user.created', aboutUser(user), factsOf(user));
}

/**
 * Erases a user and everything held about them here, with the event that makes the others do the same, in the caller's
 * transaction. What anybody typed about an address that others have too is theirs.
 * @throws RetryLaterError (503) as changeUser
 */
export async function eraseUser(
  ctx: WriteContext & Pick<Context, 'idempotency' | 'macs'>,
  session: Session,
  user: User,
): Promise<void> {
  const { stores, idempotency, outbox } = ctx;
  const { _id, partner_id, email_lower, version } = user;
  if (!(await stores.users.remove(user, session))) throw new RetryLaterError('the user changed meanwhile');
  await stores.sessions.removeAll(_id, session);
  await stores.emailVerifications.removeAll(_id, session);
  await stores.emailChanges.removeAll(_id, session);
  await stores.emailChangeLinks.removeAll(_id, session);
  if (await forgetCodes(ctx, session, email_lower)) {
    await stores.signInPlaces.removeAll(signInEmailsOf(ctx.macs, email_lower), session);
  }
  if (partner_id === null) await stores.addressRequests.removeAll(email_lower, session);
  await idempotency.erase(session, _id);
  const data = { user_id: _id, partner_id, version: version + 1 };
  await outbox.add(session, 'user.deleted', aboutUser(user), data);
  await stores.revocations.add(session, { kind: 'user', id: _id });
}

/**
 * Erases the codes of an address that a user no longer has, unless others have it too; false then. Called once the user's
 * own row is changed or gone.
 */
export async function forgetCodes(
  { stores }: Pick<WriteContext, 'stores'>,
  session: Session,
  emailLower: string,
): Promise<boolean> {
  const others = await stores.users.withAddress(emailLower, session);
  if (others.length > 0) return false;
  await stores.loginChallenges.removeAll(emailLower, session);
  return true;
}

/** Two at once conflict on the unique index; the later transaction runs again and sees the address here. */
async function refuseTaken({ stores }: WriteContext, session: Session, user: User): Promise<void> {
  const other = await stores.users.ofTenant(user.partner_id, user.email_lower, session);
  if (other && other._id !== user._id) throw new AddressTakenError('the tenant has this address already');
}

function aboutUser(user: User): string {
  return `user/${user._id}`;
}

/** What events tell of a user: nothing personal (architecture.md §3). */
function factsOf(user: User) {
  return { user_id: user._id, partner_id: user.partner_id, status: user.status, version: user.version };
}
