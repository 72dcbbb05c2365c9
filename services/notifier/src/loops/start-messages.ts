import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { digestMessageId } from '../domain/message-id.ts';
import type { NotificationRow } from '../store/notification-model.ts';
import { isTimeLimit } from '../store/time-limit.ts';
import type { ClaimedMessage } from './claimed-message.ts';
import { sendLeaseMs } from './retry-write.ts';

export type Draft = Omit<ClaimedMessage, 'newest' | 'digest'> & {
  rows: readonly NotificationRow[];
  /** The digest that is repeated. */
  digest: string | null;
};

/** A row that a transaction locks is left out for this long, ms. A killed client holds its lock for a minute. */
const lockedMs = 5_000;

type LeaveOut = (userId: number, ms: number) => void;

/** Stores the digests and counts the attempts. Messages whose rows changed meanwhile are left out. */
export async function startMessages(
  ctx: Context,
  drafts: readonly Draft[],
  leaveOut: LeaveOut,
): Promise<ClaimedMessage[]> {
  if (drafts.length === 0) return [];
  const named = drafts.map((draft) => ({ ...draft, digest: draft.digest ?? newDigestId(draft) }));
  const isNew = (draft: Draft, i: number) => draft.digest !== null && drafts[i]?.digest === null;
  const createdAt = ctx.clock.now();
  await ctx.stores.digests.insertAll(
    named.filter(isNew).map((draft) => ({
      _id: draft.digest ?? '',
      user_id: draft.user.id,
      channel: draft.channel,
      members: draft.rows.map(({ _id }) => _id),
      message_id:
        draft.channel === 'email' ? digestMessageId(draft.digest ?? '', ctx.config.MAIL_FROM) : null,
      provider_message_id: null,
      created_at: createdAt,
    })),
  );
  const lease = { token: randomUUID(), leaseMs: sendLeaseMs(ctx.config) };
  const started = new Map((await start(ctx, named, { lease, leaveOut })).map((row) => [row._id, row]));
  return named.flatMap((draft) => {
    const rows = draft.rows.flatMap(({ _id }) => started.get(_id) ?? []);
    const [newest] = rows;
    if (!newest) return [];
    draft.claim.open += 1;
    return [{ ...draft, rows, newest }];
  });
}

type Start = { lease: { token: string; leaseMs: number }; leaveOut: LeaveOut };

/** Where a row is locked, each message is started alone: the token marks the rows that were started before the locked one. */
async function start(ctx: Context, drafts: readonly Draft[], options: Start): Promise<NotificationRow[]> {
  const { lease, leaveOut } = options;
  const { notifications } = ctx.stores;
  try {
    return await notifications.startAttempts(drafts, lease);
  } catch (error) {
    if (!isTimeLimit(error)) throw error;
    const [draft] = drafts;
    if (!draft || drafts.length > 1)
      return (await Promise.all(drafts.map((one) => start(ctx, [one], options)))).flat();
    leaveOut(draft.user.id, lockedMs);
    await notifications.undoStart(draft.rows, lease.token);
    return [];
  }
}

function newDigestId({ rows }: Draft): string | null {
  return rows.length > 1 ? randomUUID().replaceAll('-', '') : null;
}
