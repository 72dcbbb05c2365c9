import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { changeAlerts } from './change-alerts.ts';

/** A mail that a server accepted came back: what is urgent in it goes to the next in line. A report that comes again changes nothing. */
export async function mailCameBack(ctx: Context, mailId: string): Promise<void> {
  const count = await transaction(ctx.db, async (session) => {
    const alerts = await ctx.stores.alerts.ofMail(mailId, session);
    const sent = alerts.filter(({ status }) => status === 'sent');
    await changeAlerts(ctx, session, sent, { status: 'failed', reason: 'not_delivered', next: true });
    return sent.length;
  });
  if (count === 0) return;
  ctx.log.warn({ mail: mailId, alerts: count }, 'a mail to a member came back');
  ctx.signals.emit('news');
}
