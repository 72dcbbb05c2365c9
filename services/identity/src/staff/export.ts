import {
  type ExportedList,
  longestExported,
  maxExported,
  maxStaffAlerts,
  maxStaffFacts,
  type PartnerPrincipal,
  type ReplyData,
  type StaffExport,
  toPartnerTime,
} from '@casewatch/contracts';
import { ApiError, type Handler } from '@casewatch/platform';
import { exportedRecords } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import type { LoginChallenge } from '../store/login-challenges.ts';
import type { StaffMember } from '../store/staff.ts';
import { assertOwnOrOwner } from './members.ts';
import { presentInvitations, presentSessions, presentStaff } from './present.ts';

// Everything that is stored about a member, here, by cases and by notifier. What is left out names nobody: keyed hashes of networks, counters,
// and the ids in events of the last days. Codes of an address that is a member's of another partner, too, only the member gets.

/** GET /v1/client/staff/{staff_id}/export: also of who was removed, until the erasure. */
export function exportStaffMember(ctx: Context): Handler<'export_staff_member'> {
  return async ({ caller, params }) => {
    assertOwnOrOwner(caller, params.staff_id);
    assertMayReadActivity(caller);
    const member = await ctx.stores.staff.find(params.staff_id);
    if (member?.partner_id !== caller.partner_id || member.erased_at !== null)
      throw new ApiError('staff_not_found');
    const isOwn = caller.staff_id === member._id;
    return { body: { staff_member: await exportOf(ctx, member, isOwn) } };
  };
}

/**
 * The row of the table names one scope; what a member did, from where and when is for keys that may read the activity of all.
 * @throws ApiError insufficient_scope
 */
function assertMayReadActivity({ scopes, staff_id }: PartnerPrincipal): void {
  if (staff_id === undefined && !scopes.includes('audit'))
    throw new ApiError('insufficient_scope', {
      message:
        'This API key does not have the scope audit. The export needs it, because it has the activity of the member.',
    });
}

/** @throws ApiError service_unavailable while cases or notifier does not answer: an export is whole or refused */
async function exportOf(ctx: Context, member: StaffMember, isOwn: boolean): Promise<StaffExport> {
  const { _id, accepted_at, removed_at } = member;
  const { stores } = ctx;
  const [invitations, sessions, calendar, notices, codes, audited, facts, alerts] = await Promise.all([
    stores.staffInvitations.listOf(_id),
    stores.staffSessions.listOf(_id),
    stores.calendarAddresses.find(_id),
    stores.staffNotices.listOf(_id),
    codesOf(ctx, member, isOwn),
    exportedRecords(ctx, member),
    factsOf(ctx, member),
    alertsOf(ctx, member),
  ]);
  const lists = {
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
    records: audited.records,
    alerts_sent: alerts.map(({ kind, case_id, status, sent_at }) => ({
      kind,
      case_id,
      status,
      sent_at: toPartnerTime(sent_at === null ? null : new Date(sent_at)),
    })),
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
    answers_sent: facts.answers.map(({ case_id, sent_at }) => ({
      case_id,
      sent_at: toPartnerTime(new Date(sent_at)),
    })),
    imports: facts.imports.map(({ id, created_at }) => ({
      import_id: id,
      created_at: toPartnerTime(new Date(created_at)),
    })),
    assigned_case_ids: facts.case_ids,
  };
  const names = Object.keys(lists) as ExportedList[];
  const isCutOff = (name: ExportedList) =>
    lists[name].length >= longestExported[name] || (name === 'records' && audited.isCutOff);
  return {
    ...presentStaff(ctx, member, toPartnerTime),
    email: member.email,
    away_until: toPartnerTime(member.away_until ?? null),
    alerts_changed_at: toPartnerTime(member.alerts_changed_at ?? null),
    accepted_at: toPartnerTime(accepted_at),
    second_factor_since: toPartnerTime(member.second_factor_since ?? null),
    calendar_address_since: toPartnerTime(calendar?.created_at ?? null),
    removed_at: toPartnerTime(removed_at),
    ...lists,
    cut_off: names.filter(isCutOff),
  };
}

/** Codes are of an address. What a member of several partners does at another one is nothing for the owners of this one. */
async function codesOf({ stores }: Context, member: StaffMember, isOwn: boolean): Promise<LoginChallenge[]> {
  const { email_lower } = member;
  if (email_lower === null || (!isOwn && (await stores.staff.isActiveElsewhere(member)))) return [];
  return await stores.loginChallenges.listOf(email_lower, 'staff');
}

type Facts = ReplyData<'cases.of_staff'>;

/** What cases stores about the member, page by page, up to `maxExported` of each kind. */
async function factsOf(ctx: Context, { _id: staff_id, partner_id }: StaffMember): Promise<Facts> {
  const all: Facts = { acknowledgements: [], reviews: [], case_ids: [], answers: [], imports: [] };
  for (let asked = 0; asked < maxExported; asked += maxStaffFacts) {
    const page = await ctx.bus.request('cases.of_staff', {
      partner_id,
      staff_id,
      acknowledgements_after: all.acknowledgements.at(-1)?.id ?? 0,
      reviews_after: all.reviews.at(-1)?.id ?? 0,
      cases_after: all.case_ids.at(-1) ?? 0,
      answers_after: all.answers.at(-1)?.case_id ?? 0,
    });
    all.acknowledgements.push(...page.acknowledgements);
    all.reviews.push(...page.reviews);
    all.case_ids.push(...page.case_ids);
    all.answers.push(...page.answers);
    const { imports, ...paged } = page;
    all.imports = imports;
    const sizes = Object.values(paged).map(({ length }) => length);
    if (Math.max(...sizes) < maxStaffFacts) break;
  }
  return all;
}

type Alerts = ReplyData<'notifier.of_staff'>['alerts'];

/** What the member was told of by mail, page by page, up to `maxExported`. */
async function alertsOf(ctx: Context, { _id: staff_id, partner_id }: StaffMember): Promise<Alerts> {
  const all: Alerts = [];
  while (all.length < maxExported) {
    const after = all.at(-1)?.id ?? '';
    const { alerts } = await ctx.bus.request('notifier.of_staff', { partner_id, staff_id, after });
    all.push(...alerts);
    if (alerts.length < maxStaffAlerts) break;
  }
  return all;
}
