import { type Answer, type Handler, idsOf, logSecurity } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { addKey } from '../../changes/change-keys.ts';
import type { Context } from '../../context.ts';
import { newKey } from '../../credentials/new-key.ts';
import type { ApiKey } from '../../domain/api-key.ts';
import { presentKey } from '../../present/key.ts';
import { assertWithinLimits, checkKeyExpiry, loadCallerLimits } from './key-checks.ts';

/** POST /v1/client/keys. The answer remembered for the Idempotency-Key does not hold the secret. */
export function createKey(ctx: Context): Handler<'create_key'> {
  return async ({ caller, body, remember }) => {
    const own = await loadCallerLimits(ctx, caller);
    const { name, allowed_ips = own.allowed_ips, expires_at = own.expires_at } = body;
    checkKeyExpiry(expires_at, ctx.clock.now());
    const scopes = [...new Set(body.scopes ?? own.scopes)];
    const { row, pair } = await newKey(ctx, {
      partner_id: caller.partner_id,
      name,
      scopes,
      allowed_ips,
      expires_at,
    });
    await transaction(ctx.db, async (tx) => {
      assertWithinLimits(await loadCallerLimits(ctx, caller, tx), row);
      await addKey(ctx, tx, row);
      await remember(tx, answerOf(row, null));
    });
    logSecurity(ctx.log, { event: 'key_created', outcome: 'done', target_key_id: row._id, ...idsOf(caller) });
    return answerOf(row, pair.api_secret);
  };
}

function answerOf(row: ApiKey, secret: string | null): Answer<'create_key'> {
  return {
    headers: { location: `/v1/client/keys/${row._id}` },
    body: { success: true, message: 'Key created.', key: { ...presentKey(row), api_secret: secret } },
  };
}
