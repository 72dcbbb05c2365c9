import type { EventHandler } from '@casewatch/platform';
import { beginWatch } from '../changes/begin-watch.ts';
import { endWatch } from '../changes/end-watch.ts';
import { endIfErased } from '../changes/erase-user.ts';
import type { Context } from '../context.ts';
import { knownOfBaseline } from '../domain/decide-watch.ts';

/** Watches a new case from its baseline. An unwatched case is stored, because its watch may begin later. */
export function onCaseCreated(ctx: Context): EventHandler<'case.created'> {
  return async ({ case: reference, version, watched, first_check, baseline }) => {
    const at = ctx.clock.now();
    if (watched) {
      await beginWatch(ctx, { case: reference, version, first_check, baseline, at });
      return await endIfErased(ctx, { case: reference, version, at });
    }
    const lastKnown = {
      ...(baseline && knownOfBaseline(baseline, at)),
      awaits: first_check === 'not_found' ? ('status' as const) : null,
    };
    await endWatch(ctx, { case: reference, version, isDeleted: false, lastKnown, at });
    await endIfErased(ctx, { case: reference, version, at });
  };
}
