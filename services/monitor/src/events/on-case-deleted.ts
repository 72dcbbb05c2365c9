import type { EventHandler } from '@casewatch/platform';
import { endWatch } from '../changes/end-watch.ts';
import type { Context } from '../context.ts';

export function onCaseDeleted(ctx: Context): EventHandler<'case.deleted'> {
  return async ({ case: reference, version }) => {
    await endWatch(ctx, { case: reference, version, isDeleted: true, at: ctx.clock.now() });
  };
}
