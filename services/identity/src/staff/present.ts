import { type StaffMember as Shown, type StaffExport, toIso, toPartnerTime } from '@casewatch/contracts';
import type { StaffMember } from '../store/staff.ts';
import type { StaffInvitation } from '../store/staff-invitations.ts';

/** Reads under /v1/client pass `toPartnerTime`. Only removed members, who are not shown, have no address. */
export function presentStaff(member: StaffMember, time: typeof toIso = toIso): Shown {
  return {
    id: member._id,
    email: member.email ?? '',
    name: member.name,
    role: member.role,
    status: member.status,
    language: member.language,
    time_zone: member.time_zone,
    last_seen_at: time(member.last_seen_at),
    created_at: time(member.created_at),
    updated_at: time(member.updated_at),
  };
}

export function presentExport(member: StaffMember, invitations: readonly StaffInvitation[]): StaffExport {
  return {
    ...presentStaff(member, toPartnerTime),
    email: member.email,
    accepted_at: toPartnerTime(member.accepted_at),
    removed_at: toPartnerTime(member.removed_at),
    invitations: invitations.map(({ created_at, delivery, expires_at, used_at, void_at }) => ({
      created_at: toPartnerTime(created_at),
      sent_at: toPartnerTime(delivery.sent_at),
      expires_at: toPartnerTime(expires_at),
      used_at: toPartnerTime(used_at),
      void_at: toPartnerTime(void_at),
    })),
  };
}
