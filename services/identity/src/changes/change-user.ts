import { RetryLaterError, type Session } from '@casewatch/platform';
import type { Context, WriteContext } from '../context.ts';
import { knownNetworkEmails } from '../credentials/sign-in-place.ts';
import type { User } from '../domain/user.ts';
import { AddressTakenError } from '../store/users.ts';

/**
 * Writes a change of a user with its event, in the caller's transaction.
 * @throws RetryLaterError (503) if the row is no longer the one that was decided on; inside a transaction that does not happen
 * @throws AddressTakenError
 */
export async function changeUser(
  ctx: WriteContext,
  tx: Session,
  { user, set }: { user: User; set: Partial<User> },
): Promise<User> {
  if (set.email_lower !== undefined && set.email_lower !== user.email_lower) {
    await assertAddressFree(ctx, tx, { ...user, email_lower: set.email_lower });
  }
  const row = await ctx.stores.users.save(user, { ...set, updated_at: ctx.clock.now() }, tx);
  if (!row) throw new RetryLaterError('the user changed meanwhile');
  const isNewlyVerified = user.email_verified_at === null && row.email_lower === user.email_lower;
  if (isNewlyVerified && set.email_verified_at instanceof Date) {
    const verifiedAt = set.email_verified_at.toISOString();
    const data = { ...eventData(row), email_verified_at: verifiedAt };
    await ctx.outbox.add(tx, 'user.email_verified', subjectOf(row), data);
  } else {
    await ctx.outbox.add(tx, 'user.updated', subjectOf(row), eventData(row));
  }
  return row;
}

/**
 * Writes a new user with its event, in the caller's transaction.
 * @throws AddressTakenError
 */
export async function addUser(ctx: WriteContext, tx: Session, user: User): Promise<void> {
  await assertAddressFree(ctx, tx, user);
  await ctx.stores.users.insert(user, tx);
  await ctx.outbox.add(tx, 'user.created', subjectOf(user), eventData(user));
}

/**
 * Erases a user and everything held about them here, with the event that makes the others do the same, in the caller's
 * transaction. What anybody typed about an address that others have too is theirs.
 * @throws RetryLaterError (503) as changeUser
 */
export async function eraseUser(
  ctx: WriteContext & Pick<Context, 'idempotency' | 'macs'>,
  tx: Session,
  user: User,
): Promise<void> {
  const { stores, idempotency, outbox } = ctx;
  const { _id, partner_id, email_lower, version } = user;
  if (!(await stores.users.remove(user, tx))) throw new RetryLaterError('the user changed meanwhile');
  await stores.sessions.removeAll(_id, tx);
  await stores.emailVerifications.removeAll(_id, tx);
  await stores.emailChanges.removeAll(_id, tx);
  await stores.emailChangeLinks.removeAll(_id, tx);
  if (await deleteLoginCodes(ctx, tx, email_lower)) {
    await stores.knownNetworks.removeAll(knownNetworkEmails(ctx.macs, email_lower), tx);
  }
  if (partner_id === null) await stores.addressRequests.removeAll(email_lower, tx);
  await idempotency.erase(tx, _id);
  const data = { user_id: _id, partner_id, version: version + 1 };
  await outbox.add(tx, 'user.deleted', subjectOf(user), data);
  await stores.revocations.add(tx, { kind: 'user', id: _id });
}

/**
 * Erases the codes of an address that a user no longer has, unless others have it too; false then. Called once the user's
 * own row is changed or gone.
 */
export async function deleteLoginCodes(
  { stores }: Pick<WriteContext, 'stores'>,
  tx: Session,
  emailLower: string,
): Promise<boolean> {
  const others = await stores.users.findByEmail(emailLower, tx);
  if (others.length > 0) return false;
  await stores.loginChallenges.removeAll(emailLower, tx);
  return true;
}

/** Two at once conflict on the unique index; the later transaction runs again and sees the address here. */
async function assertAddressFree({ stores }: WriteContext, tx: Session, user: User): Promise<void> {
  const other = await stores.users.findInTenant(user.partner_id, user.email_lower, tx);
  if (other && other._id !== user._id) throw new AddressTakenError('the tenant has this address already');
}

function subjectOf(user: User): string {
  return `user/${user._id}`;
}

/** What events tell of a user: nothing personal (architecture.md §3). */
function eventData(user: User) {
  return { user_id: user._id, partner_id: user.partner_id, status: user.status, version: user.version };
}
