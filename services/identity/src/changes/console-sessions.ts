import { ApiError } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { recordOpenedConsole } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { readConsoleLinkToken } from '../credentials/console-tokens.ts';
import { type ConsoleSession, isLiveConsole, newConsoleSession } from '../domain/console-session.ts';
import { judgeGeneration } from '../domain/session.ts';

/** The link is used up only together with the session that it opens. @throws ApiError console_link_invalid */
export async function openConsole(ctx: Context, linkToken: string): Promise<ConsoleSession> {
  const linkId = readConsoleLinkToken(linkToken, ctx.macs);
  if (linkId === null) throw new ApiError('console_link_invalid');
  const now = ctx.clock.now();
  const id = ctx.newId();
  return await transaction(ctx.db, async (tx) => {
    const link = await ctx.stores.consoleLinks.use(linkId, now, tx);
    if (!link) throw new ApiError('console_link_invalid');
    const session = newConsoleSession({ id, link, pepperId: ctx.macs.id, now });
    await ctx.stores.consoleSessions.insert(session, tx);
    await recordOpenedConsole(ctx, tx, session);
    return session;
  });
}

export async function endConsole(ctx: Context, sessionId: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await ctx.stores.consoleSessions.end(sessionId, ctx.clock.now(), tx);
    await ctx.stores.revocations.add(tx, { kind: 'session', id: sessionId });
  });
}

/** @throws ApiError console_session_ended; a token that was replaced earlier also ends the session */
export async function renewConsole(
  ctx: Context,
  session: ConsoleSession,
  generation: number,
): Promise<ConsoleSession> {
  await refuseReused(ctx, session, generation);
  if (generation !== session.generation) return session;
  const rotated = await ctx.stores.consoleSessions.rotate(session, ctx.clock.now(), ctx.macs.id);
  if (rotated) return rotated;
  // A concurrent renewal came first, or the session ended.
  const current = await ctx.stores.consoleSessions.find(session._id);
  if (!current || !isLiveConsole(current, ctx.clock.now())) throw new ApiError('console_session_ended');
  return await renewConsole(ctx, current, generation);
}

/** Someone has an old token: perhaps a thief, so the session ends. */
export async function refuseReused(ctx: Context, session: ConsoleSession, generation: number): Promise<void> {
  if (judgeGeneration(session, generation, ctx.clock.now()) !== 'reused') return;
  await endConsole(ctx, session._id);
  const { _id: session_id, partner_id } = session;
  throw new ApiError('console_session_ended', {
    detail: 'token reused',
    callerIds: { session_id, partner_id },
  });
}
