import { type EventHandler, NotYetError } from '@casewatch/platform';
import { beginWatch } from '../changes/begin-watch.ts';
import { endWatch } from '../changes/end-watch.ts';
import type { Context } from '../context.ts';

/** So long the creation of a case that is not known yet is waited for, ms; then it is taken as it is. */
const patienceMs = 60 * 60 * 1_000;

/** A case begins or ends to watch, as cases says: it knows whether the case and its user are active. */
export function onCaseUpdated(ctx: Context): EventHandler<'case.updated'> {
  return async ({ case: reference, version, watched }, { time }) => {
    const at = ctx.clock.now();
    const former = await ctx.stores.watches.find(reference.id);
    if (!former && at.getTime() - time.getTime() < patienceMs)
      throw new NotYetError('case.created has not arrived yet: it holds the baseline');
    if (watched) await beginWatch(ctx, { case: reference, version, first_check: null, baseline: null, at });
    else await endWatch(ctx, { case: reference, version, isDeleted: false, at });
  };
}
