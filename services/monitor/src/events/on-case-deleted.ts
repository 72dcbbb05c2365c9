import type { EventHandler } from '@casewatch/platform';
import { endWatch } from '../changes/end-watch.ts';
import type { Context } from '../context.ts';

/** A deleted case is forgotten but for a tombstone; with a receipt's last case the receipt is too. */
export function onCaseDeleted(ctx: Context): EventHandler<'case.deleted'> {
  return async ({ case: reference, version }) => {
    await endWatch(ctx, { case: reference, version, isDeleted: true, at: ctx.clock.now() });
  };
}
