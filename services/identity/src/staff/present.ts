import { type StaffMember as Shown, type StaffExport, toIso, toPartnerTime } from '@casewatch/contracts';
import type { StaffMember } from '../store/staff.ts';
import type { StaffInvitation } from '../store/staff-invitations.ts';
import type { StaffSession } from '../store/staff-sessions.ts';
import { alertsOf, awayUntilOf } from './alerts.ts';

type At = { readonly clock: { now(): Date } };

/** Reads under /v1/client pass `toPartnerTime`. Only removed members, who are not shown, have no address. */
export function presentStaff({ clock }: At, member: StaffMember, time: typeof toIso = toIso): Shown {
  return {
    id: member._id,
    email: member.email ?? '',
    name: member.name,
    role: member.role,
    status: member.status,
    language: member.language,
    time_zone: member.time_zone,
    second_factor: member.second_factor_since != null,
    alerts: alertsOf(member),
    away_until: time(awayUntilOf(member, clock.now())),
    last_seen_at: time(member.last_seen_at),
    created_at: time(member.created_at),
    updated_at: time(member.updated_at),
  };
}

/** Without what is shown of a session or code to nobody: its generation, its hash, its key. */
export function presentSessions(sessions: readonly StaffSession[]): StaffExport['sessions'] {
  return sessions.map(({ signed_in_at, rotated_at, browser, network, expires_at, ended_at }) => ({
    signed_in_at: toPartnerTime(signed_in_at),
    last_used_at: toPartnerTime(rotated_at),
    browser,
    network,
    expires_at: toPartnerTime(expires_at),
    ended_at: toPartnerTime(ended_at),
  }));
}

export function presentInvitations(invitations: readonly StaffInvitation[]): StaffExport['invitations'] {
  return invitations.map(({ created_at, delivery, expires_at, used_at, void_at }) => ({
    created_at: toPartnerTime(created_at),
    sent_at: toPartnerTime(delivery.sent_at),
    expires_at: toPartnerTime(expires_at),
    used_at: toPartnerTime(used_at),
    void_at: toPartnerTime(void_at),
  }));
}
