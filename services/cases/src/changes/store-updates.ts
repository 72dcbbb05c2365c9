import type { StatusUpdated } from '@casewatch/contracts';
import { isTransient, type Session, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { planUpdates, type Result } from './plan-updates.ts';

/**
 * Stores and counts StatusUpdates, each once, in one transaction. Returns the error of each update that breaks an invariant.
 * A missing case is no error: the user was erased.
 */
export async function storeUpdates(ctx: Context, updates: readonly StatusUpdated[]): Promise<Result[]> {
  try {
    const { results, changedIds } = await transaction(ctx.db, (session) => store(ctx, session, updates));
    ctx.signals.emit('updates', changedIds);
    return results;
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
    const stored = storeUpdates(ctx, [update]).catch((error: unknown) => [toError(error)]);
    results.push(...(await stored));
  }
  return results;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('status update not stored', { cause: error });
}

async function store(ctx: Context, session: Session, updates: readonly StatusUpdated[]) {
  const { cases, statusUpdates } = ctx.stores;
  const caseIds = updates.map((update) => update.case.id);
  const newest = await cases.newestObservations(session, caseIds);
  const known = await statusUpdates.findSome(
    session,
    updates.map(({ status_update }) => status_update.id),
  );
  const plan = planUpdates(updates, newest, known);
  await statusUpdates.insertAll(session, plan.inserts);
  for (const { row, ...update } of plan.completions) await statusUpdates.complete(session, row, update);
  await cases.addUpdates(session, [...plan.additions.values()]);
  return { results: plan.results, changedIds: new Set(plan.additions.keys()) };
}
