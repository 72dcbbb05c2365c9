import { hash } from 'node:crypto';
import type { ConsoleSessionReply, OwnCalendarReply, StaffSessionsReply } from '@casewatch/contracts';
import type { Bus, Clock } from '@casewatch/platform';
import type { CredentialCache } from './credential-cache.ts';
import type { Revocations } from './revocations.ts';

export type StaffSessions = {
  /** A session whose token is due gets a new token. @throws ApiError console_session_ended, partner_suspended */
  verify(token: string, beforeAsking: () => void): Promise<ConsoleSessionReply>;
  /** `all`: every session of the member. */
  end(token: string, all: boolean): Promise<void>;
  /** All live sessions of the member. @throws ApiError console_session_ended */
  list(token: string): Promise<StaffSessionsReply>;
  /** Ends another session of the same member. @throws ApiError console_session_ended, staff_not_found */
  endOther(token: string, sessionId: string): Promise<void>;
  /** Whether the member has a calendar address, or may have one. @throws ApiError console_session_ended */
  calendar(token: string): Promise<OwnCalendarReply>;
  /** Makes or replaces the address, or ends it. Returns the secret of a new one. @throws ApiError as above */
  changeCalendar(token: string, action: 'create' | 'end', address: string): Promise<string | null>;
};

type Options = {
  bus: Bus;
  clock: Clock;
  cache: CredentialCache<ConsoleSessionReply>;
  revocations: Revocations;
};

/** Members of staff who are signed in to the console. A change of role or status drops what is cached within 2 s. */
export function createStaffSessions({ bus, clock, cache, revocations }: Options): StaffSessions {
  async function find(token: string, beforeAsking: () => void): Promise<ConsoleSessionReply> {
    // The cache is shared with sessions of console links: a token of theirs is never an answer here.
    return await cache.get(`staff ${hash('sha256', token, 'base64url')}`, beforeAsking, async () => {
      const session = await bus.request('identity.staff_session', { token });
      const { partner_id, staff_id } = session.principal;
      return {
        value: session,
        goodUntil: Date.parse(session.expires_at),
        revokedBy: [
          { kind: 'session', id: session.session_id },
          { kind: 'staff', id: String(staff_id) },
          { kind: 'partner', id: String(partner_id) },
        ],
      };
    });
  }

  return {
    async verify(token, beforeAsking) {
      await revocations.ensureCurrent();
      const session = await find(token, beforeAsking);
      if (Date.parse(session.renew_at) > clock.now().getTime()) return session;
      return await bus.request('identity.renew_staff_session', { token });
    },
    async end(token, all) {
      await bus.request('identity.end_staff_session', { token, all });
    },
    list: (token) => bus.request('identity.staff_sessions', { token }),
    async endOther(token, session_id) {
      await bus.request('identity.end_other_staff_session', { token, session_id });
    },
    calendar: (token) => bus.request('identity.own_calendar', { token }),
    async changeCalendar(token, action, address) {
      return (await bus.request('identity.change_calendar', { token, action, address })).secret;
    },
  };
}
