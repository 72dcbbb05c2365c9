import { maxRevocationsPerReply, type Revocation, toIso } from '@casewatch/contracts';
import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

export function answerRevocations(ctx: Context): RequestHandler<'identity.revocations'> {
  return async ({ since }) => {
    ctx.signals.emit('revocations');
    const revision = await ctx.stores.revocations.revision();
    const changes = since === null ? [] : await changesBetween(ctx, since, revision);
    return { revision, changes, now: toIso(ctx.clock.now()) };
  };
}

/** Null if the list is incomplete: too many, too old, or after a restore of the database. */
async function changesBetween(ctx: Context, since: number, revision: number): Promise<Revocation[] | null> {
  const count = revision - since;
  if (count === 0) return [];
  if (count < 0 || count > maxRevocationsPerReply) return null;
  const rows = await ctx.stores.revocations.between(since, revision);
  return rows.length === count ? rows.map(({ kind, of }) => ({ kind, id: of })) : null;
}
