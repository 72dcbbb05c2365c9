import { type ReplyInput, toIso } from '@casewatch/contracts';
import { ApiError, logSecurity, type RequestHandler } from '@casewatch/platform';
import { endConsole, openConsole, refuseReused, renewConsole } from '../changes/console-sessions.ts';
import type { Context } from '../context.ts';
import { consoleTokenOf, readConsoleLinkToken, readConsoleToken } from '../credentials/console-tokens.ts';
import { findPepper } from '../credentials/macs.ts';
import { isLiveKey } from '../domain/api-key.ts';
import { type ConsoleSession, consoleScopes, isLiveConsole, renewAt } from '../domain/console-session.ts';
import { logoUrlOf } from '../present/logo-url.ts';

/** Whose console a link opens. The link stays as it is. */
export function answerConsoleLink(ctx: Context): RequestHandler<'identity.console_link'> {
  return async ({ link_token }) => {
    const id = readConsoleLinkToken(link_token, ctx.macs);
    const link = id === null ? null : await ctx.stores.consoleLinks.findUnused(id, ctx.clock.now());
    const partner = link && (await ctx.stores.partners.find(link.partner_id));
    if (!link || !partner) return { link: null };
    const { actor, read_only } = link;
    return { link: { partner_name: partner.name, actor, read_only } };
  };
}

/** @throws ApiError console_link_invalid, api_key_revoked, api_key_expired, partner_suspended */
export function answerOpenConsole(ctx: Context): RequestHandler<'identity.open_console'> {
  return async ({ link_token }) => {
    const session = await openConsole(ctx, link_token);
    logSecurity(ctx.log, { event: 'sign_in', outcome: 'done', reason: 'console', ...idsOfConsole(session) });
    return await present(ctx, session);
  };
}

/** @throws ApiError console_session_ended, api_key_revoked, api_key_expired, partner_suspended */
export function answerConsoleSession(ctx: Context): RequestHandler<'identity.console_session'> {
  return async ({ token }) => {
    const { session, generation } = await load(ctx, token);
    await refuseReused(ctx, session, generation);
    return await present(ctx, session);
  };
}

/** @throws ApiError as answerConsoleSession */
export function answerRenewConsole(ctx: Context): RequestHandler<'identity.renew_console'> {
  return async ({ token }) => {
    const { session, generation } = await load(ctx, token);
    return await present(ctx, await renewConsole(ctx, session, generation));
  };
}

export function answerEndConsole(ctx: Context): RequestHandler<'identity.end_console'> {
  return async ({ token }) => {
    const claim = readConsoleToken(token, ctx.macs);
    const session = claim && (await ctx.stores.consoleSessions.find(claim.sessionId));
    if (!session || session.ended_at !== null) return { ended: false };
    await endConsole(ctx, session._id);
    const ids = idsOfConsole(session);
    logSecurity(ctx.log, { event: 'session_ended', outcome: 'done', reason: 'logged_out', ...ids });
    return { ended: true };
  };
}

async function load(ctx: Context, token: string): Promise<{ session: ConsoleSession; generation: number }> {
  const claim = readConsoleToken(token, ctx.macs);
  const session = claim && (await ctx.stores.consoleSessions.find(claim.sessionId));
  if (!session || !isLiveConsole(session, ctx.clock.now())) throw new ApiError('console_session_ended');
  return { session, generation: claim.generation };
}

/** The console ends with its key. The networks of the key do not hold here: a browser is elsewhere than a server. */
async function present(
  ctx: Context,
  session: ConsoleSession,
): Promise<ReplyInput<'identity.console_session'>> {
  const now = ctx.clock.now();
  const callerIds = idsOfConsole(session);
  const [key, partner] = await Promise.all([
    ctx.stores.apiKeys.find(session.key_id),
    ctx.stores.partners.find(session.partner_id),
  ]);
  if (!key || key.revoked_at !== null) throw new ApiError('api_key_revoked', { callerIds });
  if (!isLiveKey(key, now)) throw new ApiError('api_key_expired', { callerIds });
  if (partner?.status !== 'active') throw new ApiError('partner_suspended', { callerIds });
  const { _id: session_id, partner_id, actor, read_only, expires_at, generation } = session;
  const end = key.expires_at !== null && key.expires_at < expires_at ? key.expires_at : expires_at;
  const pepper = findPepper(ctx.macs, session.pepper_id) ?? ctx.macs;
  return {
    token: consoleTokenOf(session_id, generation, pepper),
    principal: {
      kind: 'partner',
      partner_id,
      key_id: String(key._id),
      scopes: consoleScopes(key.scopes, read_only),
    },
    session_id,
    actor,
    partner_name: partner.name,
    partner_logo_url: logoUrlOf(ctx, partner),
    read_only,
    time_zone: partner.time_zone,
    renew_at: toIso(renewAt(session)),
    expires_at: toIso(end),
  };
}

function idsOfConsole({ _id, partner_id, key_id }: ConsoleSession) {
  return { session_id: _id, partner_id, key_id: String(key_id) };
}
