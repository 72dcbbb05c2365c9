import { type EventHandler, NotYetError } from '@casewatch/platform';
import { beginWatch } from '../changes/begin-watch.ts';
import { endWatch } from '../changes/end-watch.ts';
import { endIfErased } from '../changes/erase-user.ts';
import type { Context } from '../context.ts';

/** How long to wait for a missing `case.created` while the monitor runs, ms: an outage must not use it up. */
const maxWaitMs = 60 * 60 * 1_000;

export function onCaseUpdated(ctx: Context): EventHandler<'case.updated'> {
  return async ({ case: reference, version, watched }, { waitedMs = 0 }) => {
    const at = ctx.clock.now();
    const former = await ctx.stores.watches.find(reference.id);
    if (!former && waitedMs < maxWaitMs)
      throw new NotYetError('case.created, which holds the baseline, has not arrived yet');
    if (watched) await beginWatch(ctx, { case: reference, version, first_check: null, baseline: null, at });
    else await endWatch(ctx, { case: reference, version, isDeleted: false, at });
    await endIfErased(ctx, { case: reference, version, at });
  };
}
