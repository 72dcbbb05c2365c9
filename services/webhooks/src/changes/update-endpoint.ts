import { acted } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { WebhookChange, WebhookRow } from '../store/webhooks.ts';

/** A new address, and activation, reset the failures. */
export const noFailures = { failing_since: null, failures: 0, last_failure_at: null };
export const activated = { active: true, disabled_at: null, disabled_reason: null, ...noFailures };

/** Changes an endpoint. Like every change of an endpoint, it raises the revision, so that cached endpoints stay exact. */
export async function updateEndpoint(
  ctx: Pick<Context, 'db' | 'stores' | 'signals'>,
  partnerId: number,
  { id, change }: { id: number; change: WebhookChange },
): Promise<WebhookRow | null> {
  const row = await transaction(ctx.db, async (session) => {
    const changed = await ctx.stores.webhooks.update(session, partnerId, { id, change });
    if (changed && change.active) await ctx.stores.deliveries.resumeGone(session, id);
    if (changed === null) return null;
    await ctx.stores.partners.raiseRevision(session, partnerId);
    acted('webhook', id);
    return changed;
  });
  if (row) ctx.signals.emit('endpoint', id);
  return row;
}
