import type { EventData } from '@casewatch/contracts';
import { ApiError, RetryLaterError } from '@casewatch/platform';
import { type Addition, onlyEventId, type Session } from '@casewatch/platform/database';
import type { Context, WriteContext } from '../context.ts';
import { knownNetworkEmails } from '../credentials/known-networks.ts';
import type { User } from '../domain/user.ts';
import { AddressTakenError } from '../store/users.ts';

// All of these write in the caller's transaction, each with its event.

/** @throws AddressTakenError; RetryLaterError if the row changed since it was read, which a transaction excludes */
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
    const data = { ...eventData(row), email_verified_at: set.email_verified_at.toISOString() };
    await ctx.outbox.add(tx, 'user.email_verified', subjectOf(row), data);
  } else {
    const { subject, data } = updatedEvent(row);
    await ctx.outbox.add(tx, 'user.updated', subject, data);
  }
  return row;
}

/** Of `user.updated`. */
export function updatedEvent(user: User): Addition<'user.updated'> {
  return { subject: subjectOf(user), data: eventData(user) };
}

/** @throws ApiError partner_suspended; AddressTakenError; RetryLaterError for the id of an erased user, which a restore without raised counters gives out again */
export async function addUser(ctx: WriteContext, tx: Session, user: User): Promise<void> {
  if (user.partner_id !== null) await assertStays(ctx, tx, user.partner_id);
  if ((await ctx.stores.erasedUsers.among([user._id], tx)).has(user._id))
    throw new RetryLaterError(
      'the id is that of an erased user; raise the counters (docs/operations/backup.md)',
    );
  await assertAddressFree(ctx, tx, user);
  await ctx.stores.users.insert(user, tx);
  await ctx.outbox.add(tx, 'user.created', subjectOf(user), eventData(user));
}

/** Nobody begins at a partner that is being deleted. @throws ApiError partner_suspended */
export async function assertStays(
  { stores }: Pick<WriteContext, 'stores'>,
  tx: Session,
  partnerId: number,
): Promise<void> {
  const partner = await stores.partners.find(partnerId, tx);
  if (!partner || partner.deletion) throw new ApiError('partner_suspended');
}

/** Erases a user with all data; the event makes the other services erase theirs. */
export async function eraseUser(
  ctx: WriteContext & Pick<Context, 'idempotency' | 'macs'>,
  tx: Session,
  user: User,
  erasedAt = ctx.clock.now(),
): Promise<void> {
  const { stores, idempotency, outbox } = ctx;
  const { _id, partner_id, email_lower, version } = user;
  if (!(await stores.users.remove(user, tx))) throw new RetryLaterError('the user changed meanwhile');
  await stores.sessions.removeAll(_id, tx);
  await stores.emailVerifications.removeAll(_id, tx);
  await stores.verificationReminders.removeAll(_id, tx);
  await stores.emailChanges.removeAll(_id, tx);
  await stores.emailChangeLinks.removeAll(_id, tx);
  if (await deleteLoginCodes(ctx, tx, email_lower)) {
    await stores.knownNetworks.removeAll(knownNetworkEmails(ctx.macs, email_lower), tx);
    await stores.welcomes.removeAll(email_lower, tx);
  }
  if (partner_id === null) await stores.addressRequests.removeAll(email_lower, tx);
  await idempotency.erase(tx, _id);
  await outbox.add(tx, 'user.deleted', subjectOf(user), { user_id: _id, partner_id, version: version + 1 });
  await recordErasure(ctx, tx, { user_id: _id, partner_id, erased_at: erasedAt.toISOString() });
  await stores.revocations.add(tx, { kind: 'user', id: _id });
}

/** Notes the id of an erased user here and for every service. May be repeated. */
export async function recordErasure(
  { stores, outbox }: Pick<WriteContext, 'stores' | 'outbox'>,
  tx: Session,
  erasure: EventData<'erasure.recorded'>,
): Promise<void> {
  const { user_id, erased_at } = erasure;
  await stores.erasedUsers.addAll([{ user_id, erased_at: new Date(erased_at) }], tx);
  const subject = `user/${user_id}`;
  await outbox.add(tx, 'erasure.recorded', subject, erasure, onlyEventId('erasure.recorded', subject));
}

/** Deletes the codes of an address that a user no longer has. False if another user has it: the codes stay. */
export async function deleteLoginCodes(
  { stores }: Pick<WriteContext, 'stores'>,
  tx: Session,
  emailLower: string,
): Promise<boolean> {
  const users = await stores.users.findByEmail(emailLower, tx);
  if (users.length > 0) return false;
  await stores.loginChallenges.removeAll(emailLower, 'person', tx);
  return true;
}

/** Concurrent changes conflict on the unique index; the later transaction runs again and finds the address here. */
async function assertAddressFree({ stores }: WriteContext, tx: Session, user: User): Promise<void> {
  const existing = await stores.users.findInTenant(user.partner_id, user.email_lower, tx);
  if (existing && existing._id !== user._id)
    throw new AddressTakenError('the tenant has this address already');
}

function subjectOf(user: User): string {
  return `user/${user._id}`;
}

/** Events carry no personal data (architecture.md §3). */
function eventData(user: User) {
  return { user_id: user._id, partner_id: user.partner_id, status: user.status, version: user.version };
}
