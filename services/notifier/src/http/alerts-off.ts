import { type Language, toIso } from '@casewatch/contracts';
import { ApiError, answerPage, type Call, type Handler, type PageAnswer } from '@casewatch/platform';
import { databaseTime, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { alertsOffToken, readAlertsOffToken } from '../domain/unsubscribe-token.ts';
import { confirmOffPage, invalidOffPage, offPage } from './pages/alerts-off-page.ts';

const instruction =
  'POST to this address to get no more e-mails about cases. An urgent change that would reach nobody else at your organization still comes.';
const confirmation =
  'You will get no more e-mails about cases. An urgent change that would reach nobody else at your organization still comes.';

/** The address in a mail to a member of staff, and in its List-Unsubscribe (RFC 8058). */
export function alertsOffUrl({ config, links }: Pick<Context, 'config' | 'links'>, staffId: number): string {
  return `${config.PUBLIC_URL}/v1/alerts/off?token=${alertsOffToken(links, staffId)}`;
}

/** GET /v1/alerts/off?token=. Shows a button and changes nothing, because mail scanners open links. */
export function staffAlertsPage(ctx: Context): Handler<'staff_alerts_page'> {
  return async (call) => {
    const { token } = call.query;
    if (readAlertsOffToken(ctx.links, token) === null) return refuseLink(ctx, call);
    if (!call.wantsPage) return { body: { message: instruction } };
    return answerPage(confirmOffPage(call.language, token));
  };
}

/** POST /v1/alerts/off?token=, from a mail program (RFC 8058), the page or a program. The body is ignored. */
export function staffAlertsOff(ctx: Context): Handler<'staff_alerts_off'> {
  return async (call) => {
    const staff_id = readAlertsOffToken(ctx.links, call.query.token);
    if (staff_id === null) return refuseLink(ctx, call);
    const at = toIso(await databaseTime(ctx.db));
    // Identity, which has the member, forgets an event about one who is none any more.
    await transaction(ctx.db, async (session) => {
      await ctx.outbox.add(session, 'staff.opted_out', `staff/${staff_id}`, { staff_id, at });
    });
    ctx.log.info({ staff_id }, 'member turned alerts off');
    if (call.wantsPage) return answerPage(offPage(call.language, alertsPath(ctx)));
    return { body: { success: true, message: confirmation } };
  };
}

/** Where a member sets all of it. */
function alertsPath({ config }: Context): string {
  return `${config.PUBLIC_URL}/console/alerts`;
}

type Refused = Pick<Call<'staff_alerts_page'>, 'wantsPage'> & { readonly language: Language };

/** @throws ApiError invalid_verification_token, unless the caller is a browser */
function refuseLink(ctx: Context, { wantsPage, language }: Refused): PageAnswer {
  const refusal = new ApiError('invalid_verification_token', { message: 'This link is not valid.' });
  if (!wantsPage) throw refusal;
  return answerPage(invalidOffPage(language, alertsPath(ctx)), refusal.status);
}
