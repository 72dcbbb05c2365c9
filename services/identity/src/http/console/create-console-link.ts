import { toIso } from '@casewatch/contracts';
import { acted, ApiError, type Handler, idsOf, logSecurity } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context } from '../../context.ts';
import { consoleLinkTokenOf } from '../../credentials/console-tokens.ts';
import { newConsoleLink } from '../../domain/console-session.ts';

/** POST /v1/client/console-links */
export function createConsoleLink(ctx: Context): Handler<'create_console_link'> {
  return async ({ caller, body: { actor, read_only, expires_in } }) => {
    const { partner_id, key_id, staff_id } = caller;
    // The console of a link may do what its key may do, and ends with it.
    if (staff_id !== undefined)
      throw new ApiError('insufficient_role', {
        message: 'Console links belong to API keys; invite the person instead.',
      });
    const grant = { partner_id, key_id: Number(key_id), actor, read_only };
    const link = newConsoleLink({
      ...grant,
      id: ctx.newId(),
      sessionSeconds: expires_in,
      now: ctx.clock.now(),
    });
    await transaction(ctx.db, async (tx) => {
      await ctx.stores.consoleLinks.insert(link, tx);
      acted('console_link', link._id);
    });
    logSecurity(ctx.log, { event: 'console_link_created', outcome: 'done', ...idsOf(caller) });
    return {
      body: {
        success: true,
        message: 'Console link created. It works once.',
        console_link: {
          url: `${ctx.config.PUBLIC_URL}/console/enter?token=${consoleLinkTokenOf(link._id, ctx.macs)}`,
          actor,
          read_only,
          expires_at: toIso(link.expires_at),
          session_expires_in: expires_in,
        },
      },
    };
  };
}
