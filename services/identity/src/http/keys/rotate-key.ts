import { type Answer, type Handler, idsOf, logSecurity } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { replaceKey } from '../../changes/change-keys.ts';
import type { Context } from '../../context.ts';
import { successorExpiry } from '../../credentials/key-limits.ts';
import { newKey } from '../../credentials/new-key.ts';
import type { ApiKey } from '../../domain/api-key.ts';
import { presentKey } from '../../present/key.ts';
import { assertWithinLimits, checkKeyExpiry, loadCallingKey, loadKey } from './key-checks.ts';

/** POST /v1/client/keys/{key_id}/rotate: the new key has the same limits; the old key ends after the overlap. */
export function rotateKey(ctx: Context): Handler<'rotate_key'> {
  return async ({ caller, params, body, remember }) => {
    checkKeyExpiry(body.expires_at, ctx.clock.now());
    const old = await loadKey(ctx, caller, params.key_id);
    const expires_at = successorExpiry(old.expires_at, body.expires_at);
    const { row: successor, pair } = await newKey(ctx, { ...old, expires_at });
    const replaced = await transaction(ctx.db, async (tx) => {
      // The successor has the old key's limits, so one check is enough.
      assertWithinLimits(await loadCallingKey(ctx, caller, tx), old);
      const change = { old, successor, overlapSeconds: body.overlap_seconds };
      const row = await replaceKey(ctx, tx, change);
      await remember(tx, answerOf(successor, row, null));
      return row;
    });
    logSecurity(ctx.log, { event: 'key_rotated', outcome: 'done', target_key_id: old._id, ...idsOf(caller) });
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
