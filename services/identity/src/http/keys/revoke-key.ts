import { type Handler, idsOf, logSecurity } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { revokeKey as revoke } from '../../changes/change-keys.ts';
import type { Context } from '../../context.ts';
import { presentKey } from '../../present/key.ts';
import { assertWithinLimits, loadCallerLimits, loadKey } from './key-checks.ts';

/** DELETE /v1/client/keys/{key_id} */
export function revokeKey(ctx: Context): Handler<'revoke_key'> {
  return async ({ caller, address, params }) => {
    const key = await loadKey(ctx, caller, params.key_id);
    const revoked = await transaction(ctx.db, async (tx) => {
      assertWithinLimits(await loadCallerLimits(ctx, caller, tx), key);
      return await revoke(ctx, tx, { key, keepFor: address });
    });
    logSecurity(ctx.log, { event: 'key_revoked', outcome: 'done', target_key_id: key._id, ...idsOf(caller) });
    return { body: { success: true, message: 'Key revoked.', key: presentKey(revoked) } };
  };
}
