import type { StatusUpdated } from '@casewatch/contracts';
import { isTransient } from '@casewatch/platform';
import { isDuplicateKey, type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { type Known, planUpdates, type Result } from './plan-updates.ts';

class MissingCaseError extends Error {
  override readonly name = 'MissingCaseError';
}

/**
 * Stores and counts StatusUpdates, each once, in one transaction. Returns the error of each update that breaks an invariant.
 * A missing case is no error: the user was erased.
 */
export async function storeUpdates(ctx: Context, updates: readonly StatusUpdated[]): Promise<Result[]> {
  try {
    return await storeTogether(ctx, updates);
  } catch (error) {
    if (updates.length === 1 || isTransient(error)) throw error;
    ctx.log.warn({ err: error, updates: updates.length }, 'status updates not stored; trying one by one');
    return await storeEach(ctx, updates);
  }
}

/** One update that cannot be stored must not delay the others. */
async function storeEach(ctx: Context, updates: readonly StatusUpdated[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const update of updates) {
    const stored = storeTogether(ctx, [update]).catch((error: unknown) => [toError(error)]);
    results.push(...(await stored));
  }
  return results;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('status update not stored', { cause: error });
}

/** Most updates are new and of cases that exist, so the first try does not read. */
async function storeTogether(ctx: Context, updates: readonly StatusUpdated[]): Promise<Result[]> {
  const unread = async () => null;
  const reading = (session: Session) => readKnown(ctx, session, updates);
  const store = (read: (session: Session) => Promise<Known | null>) =>
    transaction(ctx.db, async (session) => await write(ctx, session, updates, await read(session)));
  const results = await store(unread).catch((error: unknown) => {
    if (error instanceof MissingCaseError || isDuplicateKey(error)) return store(reading);
    throw error;
  });
  ctx.signals.emit('updates', new Set(updates.map((update) => update.case.id)));
  return results;
}

async function readKnown(
  { stores }: Context,
  session: Session,
  updates: readonly StatusUpdated[],
): Promise<Known> {
  const caseIds = updates.map((update) => update.case.id);
  const updateIds = updates.map(({ status_update }) => status_update.id);
  return {
    caseIds: await stores.cases.existingIds(session, caseIds),
    updates: await stores.statusUpdates.findSome(session, updateIds),
  };
}

async function write(
  { stores }: Context,
  session: Session,
  updates: readonly StatusUpdated[],
  known: Known | null,
) {
  const { results, inserts, completions, additions } = planUpdates(updates, known);
  await stores.statusUpdates.insertAll(session, inserts);
  for (const { row, ...update } of completions) await stores.statusUpdates.complete(session, row, update);
  const count = await stores.cases.addUpdates(session, [...additions.values()]);
  if (count < additions.size) throw new MissingCaseError();
  return results;
}
