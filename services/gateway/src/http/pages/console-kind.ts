import type { ConsoleSessionReply } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Request, Response } from 'express';
import type { Context } from '../../context.ts';
import { consoleErrorView, consoleFrame, signedOutView } from '../../pages/console/frame.ts';
import { createCookies } from './cookies.ts';
import type { SessionKind } from './session-kind.ts';

/** Of a console link, and of a member of staff who signed in. A browser has one of them. */
const linkCookie = 'console';
const staffCookie = 'staff';

/** As in the requests to identity. */
const maxTokenLength = 256;

export type ConsoleKind = SessionKind<ConsoleSessionReply> & {
  /** Sets the cookie of a new session; the one that the browser had before ends. */
  enter(req: Request, res: Response, session: ConsoleSessionReply): Promise<void>;
  /** Ends the session of the browser's cookie; `all`: every session of the member. */
  leave(req: Request, res: Response, options?: { readonly all: boolean }): Promise<void>;
};

/** Sessions of the partner console. */
export function consoleKind(ctx: Context): ConsoleKind {
  const cookies = createCookies(ctx.config.PUBLIC_URL);
  const set = (res: Response, session: ConsoleSessionReply) => {
    const { token, expires_at, principal } = session;
    const name = principal.staff_id === undefined ? linkCookie : staffCookie;
    const maxAgeS = (Date.parse(expires_at) - ctx.clock.now().getTime()) / 1000;
    cookies.set(res, name, { value: token, maxAgeS });
  };
  /** Null, too, for what cannot be a token of ours. */
  const read = (req: Request, name: string) => {
    const token = cookies.read(req, name);
    return token !== null && token.length <= maxTokenLength ? token : null;
  };
  const clear = (res: Response) => {
    cookies.clear(res, linkCookie);
    cookies.clear(res, staffCookie);
  };

  async function endFormer(req: Request, all: boolean): Promise<void> {
    const [ofStaff, ofLink] = [read(req, staffCookie), read(req, linkCookie)];
    if (ofStaff !== null) await ctx.staff.end(ofStaff, all);
    if (ofLink !== null) await ctx.consoles.end(ofLink);
  }

  return {
    zoneOf: ({ time_zone }) => time_zone ?? 'UTC',
    languageOf: () => 'en',
    async enter(req, res, session) {
      set(res, session);
      const former = session.principal.staff_id === undefined ? staffCookie : linkCookie;
      if (read(req, former) !== null) cookies.clear(res, former);
      await endFormer(req, false);
    },
    async leave(req, res, { all } = { all: false }) {
      clear(res);
      await endFormer(req, all);
    },
    async load(req, res, beforeAsking) {
      const ofStaff = read(req, staffCookie);
      const token = ofStaff ?? read(req, linkCookie);
      if (token === null) throw new ApiError('console_session_ended');
      const session = await (ofStaff === null ? ctx.consoles : ctx.staff).verify(token, beforeAsking);
      if (session.token !== token) set(res, session);
      return session;
    },
    principalOf: ({ principal, session_id, actor }) => ({ ...principal, console: { session_id, actor } }),
    limitOf: ({ principal }) => ['partner', String(principal.partner_id)],
    isReadOnly: ({ read_only }) => read_only,
    forget(res, error) {
      // A used link, or a wrong code, says nothing about the session that the browser has.
      if (error === undefined || !isOfEntry(error)) clear(res);
    },
    isLockedOut: () => false,
    signedOut: signedOutView,
    failed: consoleErrorView,
    frame: consoleFrame,
  };
}

function isOfEntry({ code }: ApiError): boolean {
  return code === 'console_link_invalid' || code === 'invalid_login_code';
}
