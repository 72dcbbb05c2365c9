import { type Answer, type Handler, idsOf, logSecurity, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { newKey } from '../credentials/new-key.ts';
import type { ApiKey } from '../domain/api-key.ts';
import { addKey } from '../store/change-keys.ts';
import { checkKeyExpiry } from './check-key-expiry.ts';
import { refuseMoreThanOwn } from './load-key.ts';
import { partnerCaller } from './load-user.ts';
import { presentKey } from './present-key.ts';

/** POST /v1/client/keys: the one answer that shows the secret; the remembered one for the Idempotency-Key does not. */
export function createKey(ctx: Context): Handler<'create_key'> {
  return async ({ principal, body, remember }) => {
    const caller = partnerCaller(principal);
    checkKeyExpiry(body.expires_at, ctx.clock.now());
    const scopes = [...new Set(body.scopes ?? caller.scopes)];
    refuseMoreThanOwn(caller, scopes);
    const { row, pair } = await newKey(ctx, {
      partnerId: caller.partner_id,
      name: body.name,
      scopes,
      allowedIps: body.allowed_ips,
      expiresAt: body.expires_at,
    });
    await transaction(ctx.db, async (session) => {
      await addKey(ctx, session, row);
      await remember(session, answerOf(row, null));
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
