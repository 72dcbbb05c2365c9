import {
  type Body,
  maxAssignees,
  type PartnerPrincipal,
  type StaffRole,
  scopesOfRole,
  staffRoles,
  toPartnerTime,
} from '@casewatch/contracts';
import {
  ApiError,
  assertRecent,
  faultsError,
  type Handler,
  idsOf,
  logSecurity,
  readPage,
} from '@casewatch/platform';
import { databaseTime, type Session, transaction } from '@casewatch/platform/database';
import type { Context, WriteContext } from '../context.ts';
import { exceededLimits } from '../credentials/key-limits.ts';
import { fault } from '../domain/check-user-body.ts';
import { loadCallerLimits } from '../http/keys/key-checks.ts';
import type { StaffMember } from '../store/staff.ts';
import { changedAlerts } from './alerts.ts';
import { presentStaff } from './present.ts';
import { isRequired } from './second-factor.ts';

// The members of a partner's staff: reading, changing and removing them. A partner that has an active owner keeps one, whatever
// runs in parallel. Inviting is in invitation.ts, what happens after a removal in retention.ts.

/** GET /v1/client/staff: newest first. */
export function listStaff(ctx: Context): Handler<'list_staff'> {
  return async ({ caller, query: { limit, cursor } }) => {
    const { rows, page } = await readPage({
      cursors: ctx.cursors,
      scope: { operation: 'list_staff', caller, filters: {}, sort: '-created_at' },
      cursor,
      limit,
      read: (after, limit) => ctx.stores.staff.page({ partnerId: caller.partner_id, after, limit }),
      positionOf: (member) => [member.created_at.getTime(), member._id],
    });
    return { body: { staff: rows.map((member) => presentStaff(ctx, member, toPartnerTime)), ...page } };
  };
}

/** GET /v1/client/assignees */
export function listAssignees(ctx: Context): Handler<'list_assignees'> {
  return async ({ caller }) => {
    const members = await ctx.stores.staff.activeByName(caller.partner_id, maxAssignees);
    return { body: { assignees: members.map(({ _id: id, name }) => ({ id, name })) } };
  };
}

/** GET /v1/client/staff/{staff_id}: of members who are no owners, the own row. */
export function getStaffMember(ctx: Context): Handler<'get_staff_member'> {
  return async ({ caller, params }) => {
    assertOwnOrOwner(caller, params.staff_id);
    const member = await loadMember(ctx, caller, params.staff_id);
    return { body: { staff_member: presentStaff(ctx, member, toPartnerTime) } };
  };
}

/** PUT /v1/client/staff/{staff_id}. Every member changes how Casewatch speaks to the own person, at any time. */
export function updateStaffMember(ctx: Context): Handler<'update_staff_member'> {
  return async ({ caller, params, body }) => {
    assertMayChange(ctx, { caller, id: params.staff_id, body });
    const at = await databaseTime(ctx.db);
    const { before, after } = await transaction(ctx.db, async (tx) => {
      const before = await loadMember(ctx, caller, params.staff_id, tx);
      const set = changedFields(before, body, at);
      if (Object.keys(set).length === 0) return { before, after: before };
      const next = { ...before, ...set };
      if (givesMore(before, next)) await assertMayManage(ctx, tx, { caller, role: next.role });
      await assertOwnerStays(ctx, tx, { before, after: next });
      if (before.status === 'invited')
        await ctx.stores.staffInvitations.voidAll(before._id, ctx.clock.now(), tx);
      return { before, after: await saveMember(ctx, tx, { member: before, set }) };
    });
    const isChanged = after !== before;
    if (isChanged) logOf(ctx, 'staff_changed', { caller, id: after._id });
    const isVoid = isChanged && after.status === 'invited';
    const message = isVoid
      ? 'Staff member updated. The invitation no longer works; invite the member again with `resend: true`.'
      : 'Staff member updated.';
    return { body: { success: true, message, staff_member: presentStaff(ctx, after) } };
  };
}

/** What members change of themselves, whatever their role is: nothing that gives access. */
const ownFields: ReadonlySet<string> = new Set(['name', 'language', 'time_zone', 'alerts', 'away_until']);

type ChangeOf = Logged & { body: Body<'update_staff_member'> };

/** @throws ApiError insufficient_role; reauthentication_required, which the own fields do not need */
function assertMayChange({ clock }: Pick<Context, 'clock'>, { caller, id, body }: ChangeOf): void {
  if (caller.staff_id === undefined) return;
  const isOwn = caller.staff_id === id && Object.keys(body).every((name) => ownFields.has(name));
  if (isOwn) return;
  if (caller.role !== 'owner') throw new ApiError('insufficient_role');
  assertRecent(new Date((caller.signed_in_at ?? 0) * 1_000), clock.now());
}

/** A key, which has the scope `staff`; an owner; and the member. @throws ApiError insufficient_role */
export function assertOwnOrOwner({ staff_id, role }: PartnerPrincipal, id: number): void {
  if (staff_id !== undefined && staff_id !== id && role !== 'owner') throw new ApiError('insufficient_role');
}

/** DELETE /v1/client/staff/{staff_id} */
export function removeStaffMember(ctx: Context): Handler<'remove_staff_member'> {
  return async ({ caller, params, query: { reassign_to } }) => {
    const removed = await transaction(ctx.db, async (tx) => {
      const member = await loadMember(ctx, caller, params.staff_id, tx);
      if (reassign_to !== undefined) await assertMayGetCases(ctx, tx, { caller, member, id: reassign_to });
      return await removeMember(ctx, tx, member, reassign_to);
    });
    logOf(ctx, 'staff_removed', { caller, id: removed._id });
    const message = 'Staff member removed. We delete the e-mail address after 30 days.';
    return { body: { success: true, message, staff_member: presentStaff(ctx, removed) } };
  };
}

type Removing = WriteContext & Pick<Context, 'idempotency'>;

type Successor = { caller: PartnerPrincipal; member: StaffMember; id: number };

/** @throws ApiError validation_failed */
async function assertMayGetCases(
  ctx: Context,
  tx: Session,
  { caller, member, id }: Successor,
): Promise<void> {
  const other = await ctx.stores.staff.find(id, tx);
  const isThere = other?.partner_id === caller.partner_id && other.removed_at === null;
  if (isThere && other.status !== 'disabled' && id !== member._id) return;
  const message = 'must be another member of your staff who is active or invited';
  throw faultsError([{ in: 'query', parameter: 'reassign_to', code: 'not_allowed', message }]);
}

/**
 * @param reassignTo gets the cases of the member; nobody without it
 * @throws ApiError last_owner
 */
export async function removeMember(
  ctx: Removing,
  tx: Session,
  member: StaffMember,
  reassignTo?: number,
): Promise<StaffMember> {
  const now = ctx.clock.now();
  const set = { status: 'disabled', second_factor_since: null, removed_at: now, updated_at: now } as const;
  await assertOwnerStays(ctx, tx, { before: member, after: { ...member, ...set } });
  await removeBelongings(ctx, tx, member);
  const removed = await ctx.stores.staff.save(member, set, tx);
  await announceEnd(ctx, tx, removed, reassignTo ?? null);
  await endAccess(ctx, tx, removed);
  return removed;
}

/** Removes what is of no use without the member, in the caller's transaction. The row and the sessions stay. */
export async function removeBelongings(
  { idempotency, stores }: Pick<Removing, 'idempotency' | 'stores'>,
  tx: Session,
  member: StaffMember,
): Promise<void> {
  const { _id } = member;
  await stores.staffInvitations.removeAll(_id, tx);
  await stores.staffNotices.removeAll(_id, tx);
  await stores.secondFactors.remove(_id, tx);
  await stores.calendarAddresses.remove(_id, tx);
  await stores.signInSteps.removeAll(_id, tx);
  await idempotency.erase(tx, personKeyOf(member));
}

/** Writes fields of a member with its event, in the caller's transaction. */
export async function saveMember(
  ctx: WriteContext,
  tx: Session,
  { member, set }: { member: StaffMember; set: Partial<StaffMember> },
): Promise<StaffMember> {
  const saved = await ctx.stores.staff.save(member, { ...set, updated_at: ctx.clock.now() }, tx);
  await announceMember(ctx, tx, saved);
  if (saved.role !== member.role) await endReleased(ctx, tx, { before: member, after: saved });
  if (saved.role !== member.role || saved.status !== member.status) await endAccess(ctx, tx, saved);
  return saved;
}

/**
 * Ends the sessions that the second factor of the former role kept out, where the new role needs none: what was stolen before does not
 * work again.
 */
async function endReleased(
  { clock, stores }: Pick<WriteContext, 'clock' | 'stores'>,
  tx: Session,
  { before, after }: { before: StaffMember; after: StaffMember },
): Promise<void> {
  const rule = (await stores.partners.find(before.partner_id, tx))?.second_factor;
  if (isRequired(rule, before.role) && !isRequired(rule, after.role))
    await stores.staffSessions.endUnproven([after._id], clock.now(), tx);
}

/** Gateways ask again within 2 s what a member may do; who is not active any more is signed out. Call it last. */
async function endAccess(
  ctx: Pick<WriteContext, 'clock' | 'stores'>,
  tx: Session,
  member: StaffMember,
): Promise<void> {
  if (member.status !== 'active') {
    await ctx.stores.staffSessions.endAll(member._id, ctx.clock.now(), tx);
    await removeCodes(ctx, tx, member);
  }
  await ctx.stores.revocations.add(tx, { kind: 'staff', id: member._id });
}

/** Codes are of an address: those of one that is another active member's, too, stay. */
export async function removeCodes(
  { stores }: Pick<WriteContext, 'stores'>,
  tx: Session,
  member: StaffMember,
): Promise<void> {
  const { email_lower } = member;
  if (email_lower === null || (await stores.staff.isActiveElsewhere(member, tx))) return;
  await stores.loginChallenges.removeAll(email_lower, 'staff', tx);
}

/** Events carry no personal data (firm.md §2). */
export async function announceMember(
  { outbox }: Pick<WriteContext, 'outbox'>,
  tx: Session,
  { _id: staff_id, partner_id, role, status, version }: StaffMember,
): Promise<void> {
  await outbox.add(tx, 'staff.changed', `staff/${staff_id}`, { staff_id, partner_id, role, status, version });
}

/** Whose data a remembered answer holds. Members and users have the same ids. */
export function personKeyOf({ _id }: Pick<StaffMember, '_id'>): `staff/${number}` {
  return `staff/${_id}`;
}

/** `staff.deleted`. `reassign_to` gets the cases. */
export async function announceEnd(
  { outbox }: Pick<WriteContext, 'outbox'>,
  tx: Session,
  { _id: staff_id, partner_id, version }: StaffMember,
  reassign_to: number | null,
): Promise<void> {
  const facts = { staff_id, partner_id, version, reassign_to };
  await outbox.add(tx, 'staff.deleted', `staff/${staff_id}`, facts);
}

type Managed = { caller: PartnerPrincipal; role: StaffRole };

/**
 * A key gives a role, and resets what protects one, only if it may do itself what the role may do. An owner can create keys without
 * limits: a key that ends, or works from some networks only, would get around its limits with one. Any key with the scope `staff` ends
 * access: whoever leaves a firm is out at once.
 * @throws ApiError insufficient_scope
 */
export async function assertMayManage(
  ctx: Context,
  tx: Session | null,
  { caller, role }: Managed,
): Promise<void> {
  const key = await loadCallerLimits(ctx, caller, tx);
  // The console of a key may do less than its key.
  const own = { ...key, scopes: key.scopes.filter((scope) => caller.scopes.includes(scope)) };
  const limits = role === 'owner' ? { allowed_ips: [], expires_at: null } : own;
  const exceeded = exceededLimits({ ...limits, scopes: [...scopesOfRole[role]] }, own);
  if (exceeded.length === 0) return;
  throw new ApiError('insufficient_scope', {
    message: `An API key cannot give or reset access with more permissions than its own. The role ${role} exceeds the calling key in these fields: ${exceeded.join(', ')}.`,
  });
}

/** @throws ApiError staff_not_found, also for another partner's member and for one who was removed */
export async function loadMember(
  ctx: Context,
  caller: PartnerPrincipal,
  id: number,
  tx: Session | null = null,
): Promise<StaffMember> {
  const member = await ctx.stores.staff.find(id, tx);
  if (member?.partner_id !== caller.partner_id || member.removed_at !== null)
    throw new ApiError('staff_not_found');
  return member;
}

/** @throws ApiError validation_failed: only an accepted invitation makes a member active, and nobody is away for years */
function changedFields(
  member: StaffMember,
  { alerts, away_until, ...changes }: Body<'update_staff_member'>,
  at: Date,
): Partial<StaffMember> {
  if (member.status === 'invited' && changes.status !== undefined) {
    const message =
      changes.status === 'active'
        ? 'becomes active when the member accepts the invitation'
        : 'of an invited member cannot be disabled; remove the member';
    throw faultsError([fault('status', 'not_allowed', message)]);
  }
  const fields = Object.entries(changes) as [keyof typeof changes, never][];
  const others = Object.fromEntries(fields.filter(([name, value]) => member[name] !== value));
  return { ...others, ...changedAlerts(member, { alerts, away_until }, at) };
}

/** A higher role, or access again. */
function givesMore(before: StaffMember, after: StaffMember): boolean {
  const isRaised = staffRoles.indexOf(after.role) < staffRoles.indexOf(before.role);
  return isRaised || (before.status === 'disabled' && after.status === 'active');
}

/**
 * Transactions that may take away an owner conflict with each other, so that of two owners who are demoted in parallel one stays.
 * @throws ApiError last_owner
 */
async function assertOwnerStays(
  { stores }: Pick<WriteContext, 'stores'>,
  tx: Session,
  { before, after }: { before: StaffMember; after: StaffMember },
): Promise<void> {
  if (!isActiveOwner(before) || isActiveOwner(after)) return;
  await stores.partners.touchStaff(before.partner_id, tx);
  if (!(await stores.staff.hasOtherOwner(before.partner_id, before._id, tx)))
    throw new ApiError('last_owner');
}

function isActiveOwner({ role, status }: StaffMember): boolean {
  return role === 'owner' && status === 'active';
}

type Logged = { caller: PartnerPrincipal; id: number };

export function logOf(
  ctx: Pick<Context, 'log'>,
  event: 'staff_invited' | 'staff_changed' | 'staff_removed',
  { caller, id }: Logged,
): void {
  logSecurity(ctx.log, { event, outcome: 'done', target_staff_id: id, ...idsOf(caller) });
}
