import { ApiError, type CallContext, createBatch, currentContext } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context, WriteContext } from '../context.ts';
import type { User } from '../domain/user.ts';
import type { UserChange } from '../store/users.ts';
import { updatedEvent } from './change-user.ts';

/** The new values of a user's fields. @throws ApiError if the change is refused */
type Decide<Item> = (item: Item, user: User | null) => Partial<User>;

type Asked<Item> = { readonly item: Item; readonly context: CallContext | undefined };

/** Most changes of a transaction, and the longest time that one holds back the next, ms. */
const together = { size: 16, holdMs: 20 };

/**
 * Changes fields of users on which no other row depends, each with its event. Changes that are asked for at the same time
 * share a transaction; a refused change does not affect the others.
 */
export function createChangeTogether<Item extends { readonly id: number }>(
  ctx: Pick<Context, 'clock' | 'db' | 'outbox' | 'stores'>,
  decide: Decide<Item>,
): (item: Item) => Promise<User> {
  const changeAlone = async (asked: Asked<Item>): Promise<User | Error> =>
    (await changeAll(ctx, [asked], decide))[0] ?? new Error('no result');
  const change = createBatch(async (asked: readonly Asked<Item>[]) => {
    try {
      return await changeAll(ctx, asked, decide);
    } catch (error) {
      if (asked.length === 1 || error instanceof ApiError) throw error;
      // One of them may be at fault.
      return await Promise.all(asked.map((one) => changeAlone(one).catch((failure: Error) => failure)));
    }
  }, together);
  return (item) => change({ item, context: currentContext() });
}

async function changeAll<Item extends { readonly id: number }>(
  ctx: WriteContext,
  asked: readonly Asked<Item>[],
  decide: Decide<Item>,
): Promise<(User | Error)[]> {
  return await transaction(ctx.db, async (tx) => {
    const rows = await ctx.stores.users.findSome([...new Set(asked.map(({ item }) => item.id))], tx);
    const changes = new Map<number, UserChange>(rows.map((row) => [row._id, { before: row, set: {} }]));
    const events: ReturnType<typeof updatedEvent>[] = [];
    const results = asked.map(({ item, context }) => {
      const change = changes.get(item.id);
      const user = change ? rowAfter(change) : null;
      const set = decided(() => decide(item, user));
      if (set instanceof Error) return set;
      if (!change || !user) return new ApiError('user_not_found');
      if (Object.keys(set).length === 0) return user;
      const next = { ...set, updated_at: ctx.clock.now(), version: user.version + 1 };
      const changed = { before: change.before, set: { ...change.set, ...next } };
      changes.set(item.id, changed);
      events.push({ ...updatedEvent(rowAfter(changed)), ...(context && { context }) });
      return rowAfter(changed);
    });
    await ctx.stores.users.saveAll([...changes.values()], tx);
    await ctx.outbox.addAll(tx, 'user.updated', events);
    return results;
  });
}

function rowAfter({ before, set }: UserChange): User {
  return { ...before, ...set };
}

function decided<T>(decide: () => T): T | ApiError {
  try {
    return decide();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
