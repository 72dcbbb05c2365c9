import { ApiError } from '@casewatch/platform';
import type { Request, Response } from 'express';
import type { PersonSession } from '../../../auth/person-sessions.ts';
import type { Context } from '../../../context.ts';
import { easternZone } from '../../../pages/people/dates.ts';
import { peopleErrorView, peopleFrame } from '../../../pages/people/frame.ts';
import { signInView } from '../../../pages/people/sign-in.ts';
import { askAnonymously } from '../ask-service.ts';
import { createCookies } from '../cookies.ts';
import type { SessionKind } from '../session-kind.ts';
import { chosenLanguage, keepLanguage } from './language.ts';

const accessCookie = 'person';
const refreshCookie = 'person-refresh';

type Tokens = {
  readonly access_token: string;
  /** Lifetimes, s. */
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly refresh_expires_in: number;
};

export type PersonKind = SessionKind<PersonSession> & {
  set(res: Response, tokens: Tokens): void;
  hasCookie(req: Request): boolean;
};

/** Longest time to renew a token, ms. */
const renewMs = 2_500;

/** Sessions of people: access and refresh token in two cookies that scripts cannot read. */
export function personKind(ctx: Context): PersonKind {
  const cookies = createCookies(ctx.config.PUBLIC_URL);
  const set: PersonKind['set'] = (res, { access_token, expires_in, refresh_token, refresh_expires_in }) => {
    cookies.set(res, accessCookie, { value: access_token, maxAgeS: expires_in });
    cookies.set(res, refreshCookie, { value: refresh_token, maxAgeS: refresh_expires_in });
  };

  async function renew(req: Request, res: Response, beforeAsking: () => void): Promise<PersonSession> {
    const refresh_token = cookies.read(req, refreshCookie);
    if (refresh_token === null) throw new ApiError('missing_credentials');
    beforeAsking();
    const ask = askAnonymously(ctx, req, AbortSignal.timeout(renewMs));
    const tokens = await ask('issue_token', { body: { grant_type: 'refresh_token', refresh_token } });
    set(res, tokens);
    return await ctx.people.verify(tokens.access_token, beforeAsking);
  }

  return {
    zoneOf: () => easternZone,
    set,
    hasCookie: (req) => [accessCookie, refreshCookie].some((name) => cookies.read(req, name) !== null),
    languageOf: (req, session) => session?.user.preferred_language ?? chosenLanguage(cookies, req),
    async load(req, res, beforeAsking) {
      // A mail leads to a case in its language; whoever has to sign in first keeps it on the way.
      keepLanguage(cookies, req, res);
      const access = cookies.read(req, accessCookie);
      if (access === null) return await renew(req, res, beforeAsking);
      try {
        return await ctx.people.verify(access, beforeAsking);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'token_expired') throw error;
        return await renew(req, res, beforeAsking);
      }
    },
    principalOf: ({ principal }) => principal,
    limitOf: ({ principal }) => ['user', String(principal.user_id)],
    isReadOnly: () => false,
    forget(res) {
      cookies.clear(res, accessCookie);
      cookies.clear(res, refreshCookie);
    },
    isLockedOut: ({ code }) => code === 'account_suspended' || code === 'user_not_found',
    signedOut: ({ code }, { language, url }) =>
      signInView(language, {
        operator: ctx.config.OPERATOR_NAME,
        ended: code === 'missing_credentials' ? null : code,
        next: url,
      }),
    failed: peopleErrorView,
    frame: peopleFrame,
  };
}
