import type { Erasure } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { type Caller, callerName } from '../domain/shares.ts';
import type { ChangeContext } from './change-receipt.ts';
import { endWatch } from './end-watch.ts';

const watchesAtOnce = 100;

type Erased = Erasure & Caller & { readonly user_id: number };

/** Erases the records of the user's live checks. The id comes first, so that a check in progress leaves no record. */
export async function eraseChecks(
  { stores, log }: Pick<Context, 'stores' | 'log'>,
  { user_id, partner_id, erased_at }: Erased,
): Promise<void> {
  await stores.erasedUsers.addAll([{ user_id, erased_at }]);
  const checks = await stores.callerChecks.deleteOfCaller(callerName({ user_id, partner_id }));
  await stores.callerShares.deleteOfAccount(`user/${user_id}`);
  log.info({ user_id, checks }, 'user erased');
}

/** Ends the watches of a user's cases. Usually the event of each case has done so; a restored backup brings them back. */
export async function endWatchesOf(ctx: ChangeContext, userId: number, at: Date): Promise<void> {
  for (;;) {
    const watches = await ctx.stores.watches.someOfUser(userId, watchesAtOnce);
    for (const { case: reference, version } of watches)
      if (reference) await endWatch(ctx, { case: reference, version: version + 1, isDeleted: true, at });
    if (watches.length < watchesAtOnce) return;
  }
}

/** Ends the watch of a case that began although its user is erased. */
export async function endIfErased(
  ctx: ChangeContext,
  request: Omit<Parameters<typeof endWatch>[1], 'isDeleted'>,
): Promise<void> {
  const { user_id } = request.case;
  const erased = await ctx.stores.erasedUsers.among([user_id]);
  if (erased.has(user_id)) await endWatch(ctx, { ...request, isDeleted: true });
}
