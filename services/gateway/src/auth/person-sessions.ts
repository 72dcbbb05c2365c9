import type { PersonWith, UserPrincipal } from '@casewatch/contracts';
import { ApiError, type Bus, fetchPeople } from '@casewatch/platform';
import type { Revocations } from './revocations.ts';
import type { Tokens } from './tokens.ts';

/** What pages show of the person who is signed in. */
const shownFields = [
  'email',
  'name',
  'phone',
  'status',
  'preferred_language',
  'notify_by_email',
  'notify_by_whatsapp',
  'partner_name',
  'partner_logo_url',
] as const;

export type PersonSession = {
  readonly principal: UserPrincipal;
  readonly user: PersonWith<(typeof shownFields)[number]>;
};

export type PersonSessions = {
  /**
   * The user is read each time: pages show the settings that a form has just changed.
   * @throws ApiError as Tokens.verify; user_not_found
   */
  verify(accessToken: string, beforeAsking: () => void): Promise<PersonSession>;
};

type Options = { bus: Bus; tokens: Tokens; revocations: Revocations };

/** Sessions of people in a browser: their bearer tokens, as in the API. */
export function createPersonSessions({ bus, tokens, revocations }: Options): PersonSessions {
  return {
    async verify(accessToken, beforeAsking) {
      await revocations.ensureCurrent();
      const principal = await tokens.verify(accessToken, beforeAsking);
      const people = await fetchPeople(bus, [principal.user_id], { fields: shownFields });
      const user = people.get(principal.user_id);
      if (user === undefined) throw new ApiError('user_not_found');
      return { principal, user };
    },
  };
}
