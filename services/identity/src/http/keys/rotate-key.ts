import { type Answer, ApiError, type Handler, idsOf, logSecurity } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { replaceKey } from '../../changes/change-keys.ts';
import type { Context } from '../../context.ts';
import { successorExpiry } from '../../credentials/key-limits.ts';
import { newKey } from '../../credentials/new-key.ts';
import { type ApiKey, isLiveKey } from '../../domain/api-key.ts';
import { presentKey } from '../../present/key.ts';
import { assertWithinLimits, checkKeyExpiry, loadCallerLimits, loadKey } from './key-checks.ts';

/** POST /v1/client/keys/{key_id}/rotate: the new key has the same limits; the old key ends after the overlap. */
export function rotateKey(ctx: Context): Handler<'rotate_key'> {
  return async ({ caller, address, params, body, remember }) => {
    checkKeyExpiry(body.expires_at, ctx.clock.now());
    const { row, pair } = await newKey(ctx, await loadKey(ctx, caller, params.key_id));
    const { successor, replaced } = await transaction(ctx.db, async (tx) => {
      // As it is now: another rotation may have ended it.
      const old = await loadKey(ctx, caller, params.key_id, tx);
      if (!isLiveKey(old, ctx.clock.now())) throw new ApiError('key_not_found');
      // The successor has the old key's limits, so one check is enough.
      assertWithinLimits(await loadCallerLimits(ctx, caller, tx), old);
      const successor = { ...row, expires_at: successorExpiry(old.expires_at, body.expires_at) };
      const change = { old, successor, overlapSeconds: body.overlap_seconds, keepFor: address };
      const replaced = await replaceKey(ctx, tx, change);
      await remember(tx, answerOf(successor, replaced, null));
      return { successor, replaced };
    });
    const target_key_id = replaced._id;
    logSecurity(ctx.log, { event: 'key_rotated', outcome: 'done', target_key_id, ...idsOf(caller) });
    return answerOf(successor, replaced, pair.api_secret);
  };
}

function answerOf(row: ApiKey, replaced: ApiKey, secret: string | null): Answer<'rotate_key'> {
  return {
    headers: { location: `/v1/client/keys/${row._id}` },
    body: {
      success: true,
      message: 'Key rotated.',
      key: { ...presentKey(row), api_secret: secret },
      replaced_key: presentKey(replaced),
    },
  };
}
