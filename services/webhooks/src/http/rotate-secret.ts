import { toIso } from '@casewatch/contracts';
import { type Answer, ApiError, acted, type Handler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { rotatedSecrets } from '../domain/rotated-secrets.ts';
import { secretContext } from '../domain/seal-contexts.ts';
import { presentWebhook } from '../present/webhook.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { newSecret } from './create-webhook.ts';

/** POST /v1/webhooks/{webhook_id}/rotate-secret. The answer that is stored for the Idempotency-Key has no secret. */
export function rotateSecret(ctx: Context): Handler<'rotate_webhook_secret'> {
  return async ({ caller, params, body, remember }) => {
    const { webhook_id: id } = params;
    const secret = newSecret(ctx);
    const sealed = ctx.box.seal(secret, secretContext(id));
    const now = ctx.clock.now();
    const end = new Date(now.getTime() + body.overlap_seconds * 1_000);
    const row = await transaction(ctx.db, async (session) => {
      const old = await ctx.stores.webhooks.findOf(caller.partner_id, id, session);
      if (!old) throw new ApiError('webhook_not_found');
      const secrets = rotatedSecrets(old.secrets, { sealed, now, end });
      const changed = { ...old, secrets, updated_at: now };
      await ctx.stores.webhooks.replaceSecrets(session, changed);
      await ctx.stores.partners.raiseRevision(session, old.partner_id);
      acted('webhook', id);
      await remember(session, answerOf(changed, null, end));
      return changed;
    });
    ctx.signals.emit('endpoint', id);
    return answerOf(row, secret, end);
  };
}

function answerOf(row: WebhookRow, secret: string | null, end: Date): Answer<'rotate_webhook_secret'> {
  const message =
    row.secrets.length > 1
      ? `Secret rotated. Older secrets also sign until ${toIso(end)} at the latest.`
      : 'Secret rotated. Only the new secret signs.';
  return { body: { success: true, message, webhook: { ...presentWebhook(row), secret } } };
}
