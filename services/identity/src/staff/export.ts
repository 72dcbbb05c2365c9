import {
  maxExported,
  maxStaffFacts,
  type ReplyInput,
  type StaffExport,
  toPartnerTime,
} from '@casewatch/contracts';
import { ApiError, type Handler } from '@casewatch/platform';
import { exportedRecords } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import type { LoginChallenge } from '../store/login-challenges.ts';
import type { StaffMember } from '../store/staff.ts';
import { presentInvitations, presentSessions, presentStaff } from './present.ts';

// Everything that is stored about a member, here and by cases. What is left out names nobody: keyed hashes of networks, counters,
// and the ids in events of the last days. Codes of an address that is a member's of another partner, too, only the member gets.

/** GET /v1/client/staff/{staff_id}/export: also of who was removed, until the erasure. */
export function exportStaffMember(ctx: Context): Handler<'export_staff_member'> {
  return async ({ caller, params }) => {
    // A member's own data, or an owner's request.
    if (caller.staff_id !== undefined && caller.staff_id !== params.staff_id && caller.role !== 'owner')
      throw new ApiError('insufficient_role');
    const member = await ctx.stores.staff.find(params.staff_id);
    if (member?.partner_id !== caller.partner_id || member.erased_at !== null)
      throw new ApiError('staff_not_found');
    const isOwn = caller.staff_id === member._id;
    return { body: { staff_member: await exportOf(ctx, member, isOwn) } };
  };
}

/** @throws ApiError service_unavailable while cases does not answer: an export is whole or refused */
async function exportOf(ctx: Context, member: StaffMember, isOwn: boolean): Promise<StaffExport> {
  const { _id, accepted_at, removed_at } = member;
  const { stores } = ctx;
  const [invitations, sessions, notices, codes, records, facts] = await Promise.all([
    stores.staffInvitations.listOf(_id),
    stores.staffSessions.listOf(_id),
    stores.staffNotices.listOf(_id),
    codesOf(ctx, member, isOwn),
    exportedRecords(ctx, member),
    factsOf(ctx, member),
  ]);
  return {
    ...presentStaff(member, toPartnerTime),
    email: member.email,
    accepted_at: toPartnerTime(accepted_at),
    second_factor_since: toPartnerTime(member.second_factor_since ?? null),
    removed_at: toPartnerTime(removed_at),
    invitations: presentInvitations(invitations),
    sessions: presentSessions(sessions),
    sign_in_codes: codes.map(({ created_at, expires_at, used_at }) => ({
      created_at: toPartnerTime(created_at),
      expires_at: toPartnerTime(expires_at),
      used_at: toPartnerTime(used_at),
    })),
    notices: notices.map(({ kind, created_at, delivery }) => ({
      kind,
      created_at: toPartnerTime(created_at),
      sent_at: toPartnerTime(delivery.sent_at),
    })),
    records,
    acknowledgements: facts.acknowledgements.map(({ case_id, version, acknowledged_at }) => ({
      case_id,
      version,
      acknowledged_at: toPartnerTime(new Date(acknowledged_at)),
    })),
    reviews: facts.reviews.map(({ id, case_id, reviewed_at }) => ({
      change_id: id,
      case_id,
      reviewed_at: toPartnerTime(new Date(reviewed_at)),
    })),
    assigned_case_ids: facts.case_ids,
  };
}

/** Codes are of an address. What a member of several partners does at another one is nothing for the owners of this one. */
async function codesOf({ stores }: Context, member: StaffMember, isOwn: boolean): Promise<LoginChallenge[]> {
  const { email_lower } = member;
  if (email_lower === null || (!isOwn && (await stores.staff.isActiveElsewhere(member)))) return [];
  return await stores.loginChallenges.listOf(email_lower, 'staff');
}

type Facts = ReplyInput<'cases.of_staff'>;

/** What cases stores about the member, page by page, up to `maxExported` of each kind. */
async function factsOf(ctx: Context, { _id: staff_id, partner_id }: StaffMember): Promise<Facts> {
  const all: Facts = { acknowledgements: [], reviews: [], case_ids: [] };
  for (let asked = 0; asked < maxExported; asked += maxStaffFacts) {
    const page = await ctx.bus.request('cases.of_staff', {
      partner_id,
      staff_id,
      acknowledgements_after: all.acknowledgements.at(-1)?.id ?? 0,
      reviews_after: all.reviews.at(-1)?.id ?? 0,
      cases_after: all.case_ids.at(-1) ?? 0,
    });
    all.acknowledgements.push(...page.acknowledgements);
    all.reviews.push(...page.reviews);
    all.case_ids.push(...page.case_ids);
    const sizes = [page.acknowledgements, page.reviews, page.case_ids].map(({ length }) => length);
    if (Math.max(...sizes) < maxStaffFacts) break;
  }
  return all;
}
