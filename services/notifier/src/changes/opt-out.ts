import { toIso } from '@casewatch/contracts';
import { transaction } from '@casewatch/platform/database';
import type { UserAnswer } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import { isAlreadyPublished } from '../domain/suppression.ts';
import type { UnsubscribeLink } from '../domain/unsubscribe-token.ts';

/** Stores a suppression and publishes `contact.opted_out`, unless the same opt-out was published before. */
export async function optOut(ctx: Context, link: UnsubscribeLink, answer: UserAnswer): Promise<void> {
  const { userId, channel } = link;
  if (answer === 'gone' || (await ctx.stores.tombstones.has(userId))) return;
  const user = answer === 'away' ? null : answer;
  const at = ctx.clock.now();
  const isNew = await transaction(ctx.db, async (session) => {
    const stored = await ctx.stores.suppressions.find(link, session);
    if (stored && user && isAlreadyPublished(stored, user, channel)) return false;
    await ctx.stores.suppressions.upsert(session, link, { at, user_version: user?.version ?? null });
    const data = { user_id: userId, channel, at: toIso(at) };
    await ctx.outbox.add(session, 'contact.opted_out', `user/${userId}`, data);
    return true;
  });
  // The user may have been deleted meanwhile: the deletion writes its tombstone before it erases.
  if (await ctx.stores.tombstones.has(userId)) await ctx.stores.suppressions.deleteOfUser(userId);
  ctx.log.info({ user_id: userId, channel, is_new: isNew }, 'user unsubscribed');
}
