import { type CaseReply, defaultAlerts, type FirmMember, type FirmReply } from '@casewatch/contracts';

const at = '2026-11-01T10:00:00.000Z';

/** What cases answers about an active case of partner 1 and of the user with the same id, if no test says otherwise. */
export function aCaseReply(id: number): CaseReply {
  return {
    case: {
      id,
      user_case_id: `FLOW${String(id).padStart(7, '0')}`,
      receipt_number: 'EAC9999106789',
      description: '',
      created_at: at,
      last_checked: null,
      active: true,
      update_count: 1,
      latest_update: null,
    },
    user_id: id,
    partner_id: 1,
    assignee_id: null,
    reference: null,
    respond_by: null,
    respond_done: false,
    watched: true,
    version: 1,
    monitoring: { state: 'watched', since: null, next_check_at: null },
    latest_observation: null,
  };
}

type MemberParts = Partial<Omit<FirmMember, 'id' | 'alerts'>> & { alerts?: Partial<FirmMember['alerts']> };

/** An active editor who is told of what is urgent, without quiet hours. */
export function aMember(id: number, { alerts, ...over }: MemberParts = {}): FirmMember {
  return {
    id,
    email: `member-${id}@firm.example`,
    role: 'editor',
    language: 'en',
    time_zone: null,
    alerts: { ...defaultAlerts, quiet_hours: null, ...alerts },
    away_until: null,
    ...over,
  };
}

export function aFirm(
  members: readonly FirmMember[],
  over: Partial<NonNullable<FirmReply['firm']>> = {},
): FirmReply {
  const firm = {
    name: 'Santos & Partners',
    logo_url: null,
    support_contact: null,
    reply_to: null,
    email: 'office@firm.example',
    time_zone: 'America/New_York',
    names_in_mails: true,
    ...over,
  };
  return { firm, members: [...members] };
}

/** The change of a status that is urgent. */
export const urgentChange = {
  status_code: 'Request for Initial Evidence Was Sent',
  status_slug: 'request_for_initial_evidence_was_sent',
  category: 'evidence',
} as const;
