import type { UserPrincipal, UserReply } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import type { Revocations } from './revocations.ts';
import type { Tokens } from './tokens.ts';

export type PersonSession = { readonly principal: UserPrincipal; readonly user: UserReply };

export type PersonSessions = {
  /** The user is read each time: pages show the settings that a form has just changed. @throws ApiError as Tokens.verify */
  verify(accessToken: string, beforeAsking: () => void): Promise<PersonSession>;
};

type Options = { bus: Bus; tokens: Tokens; revocations: Revocations };

/** Sessions of people in a browser: their bearer tokens, as in the API. */
export function createPersonSessions({ bus, tokens, revocations }: Options): PersonSessions {
  return {
    async verify(accessToken, beforeAsking) {
      await revocations.ensureCurrent();
      const principal = await tokens.verify(accessToken, beforeAsking);
      return { principal, user: await bus.request('identity.user', { user_id: principal.user_id }) };
    },
  };
}
