import { type EventHandler, NotYetError } from '@casewatch/platform';
import type { Context } from '../context.ts';

/**
 * Sets `touched_at` of status updates. Nothing else moves: it is no change. The later time wins, so that duplicates and
 * another order do no harm.
 * @throws NotYetError if `status.updated` of one of them has not come yet
 */
export function onStatusTouched({ stores }: Context): EventHandler<'status.touched'> {
  return async ({ touched_at, updates }) => {
    const at = new Date(touched_at);
    // The update first: who sees the case touched reads the text of its update anew.
    const missing = await stores.statusUpdates.touch(updates, at);
    await stores.cases.touchLatest(updates, at);
    // A case that is gone was erased, with its updates.
    if (await stores.cases.existsAny(missing.map(({ case_id }) => case_id)))
      throw new NotYetError('status.updated has not arrived yet');
  };
}
