import { toIso } from '@casewatch/contracts';
import { transaction } from '@casewatch/platform';
import type { AskedUser } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import { isToldAlready } from '../domain/suppression.ts';
import type { UnsubscribeLink } from '../domain/unsubscribe-token.ts';

/** Switches a channel of a person off, at their own word: stored and published together; repeats find it done. */
export async function optOut(ctx: Context, link: UnsubscribeLink, asked: AskedUser): Promise<void> {
  const { userId, channel } = link;
  // Who is deleted gets nothing anyway, and nothing is to be kept of them.
  if (asked === 'gone' || (await ctx.stores.tombstones.has(userId))) return;
  const user = asked === 'away' ? null : asked;
  const at = ctx.clock.now();
  const isNew = await transaction(ctx.db, async (session) => {
    const known = await ctx.stores.suppressions.find(link, session);
    if (known && user && isToldAlready(known, user, channel)) return false;
    await ctx.stores.suppressions.put(session, link, { at, user_version: user?.version ?? null });
    const data = { user_id: userId, channel, at: toIso(at) };
    await ctx.outbox.add(session, 'contact.opted_out', `user/${userId}`, data);
    return true;
  });
  // The deletion may have come between the look above and the write; it writes its tombstone before it looks.
  if (await ctx.stores.tombstones.has(userId)) await ctx.stores.suppressions.deleteOfUser(userId);
  ctx.log.info({ user_id: userId, channel, is_new: isNew }, 'unsubscribed');
}
