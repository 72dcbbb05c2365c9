import type { ConsoleSessionReply } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Request, Response } from 'express';
import type { Context } from '../../context.ts';
import { consoleErrorView, consoleFrame, signedOutView } from '../../pages/console/frame.ts';
import { createCookies } from './cookies.ts';
import type { SessionKind } from './session-kind.ts';

const cookieName = 'console';

export type ConsoleKind = SessionKind<ConsoleSessionReply> & {
  set(res: Response, session: ConsoleSessionReply): void;
  tokenOf(req: Request): string | null;
  clear(res: Response): void;
};

/** Sessions of the partner console. */
export function consoleKind(ctx: Context): ConsoleKind {
  const cookies = createCookies(ctx.config.PUBLIC_URL);
  const set = (res: Response, { token, expires_at }: ConsoleSessionReply) => {
    const maxAgeS = (Date.parse(expires_at) - Date.now()) / 1000;
    cookies.set(res, cookieName, { value: token, maxAgeS });
  };
  return {
    zone: 'UTC',
    languageOf: () => 'en',
    set,
    tokenOf: (req) => cookies.read(req, cookieName),
    async load(req, res, beforeAsking) {
      const token = cookies.read(req, cookieName);
      if (token === null) throw new ApiError('console_session_ended');
      const session = await ctx.consoles.verify(token, beforeAsking);
      if (session.token !== token) set(res, session);
      return session;
    },
    principalOf: ({ principal, session_id, actor }) => ({ ...principal, console: { session_id, actor } }),
    limitOf: ({ principal }) => ['partner', String(principal.partner_id)],
    isReadOnly: ({ read_only }) => read_only,
    clear: (res) => cookies.clear(res, cookieName),
    forget(res, error) {
      // A used link says nothing about the session that the browser has.
      if (error?.code !== 'console_link_invalid') cookies.clear(res, cookieName);
    },
    signedOut: signedOutView,
    failed: consoleErrorView,
    frame: consoleFrame,
  };
}
