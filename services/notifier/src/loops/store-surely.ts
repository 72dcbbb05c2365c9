import { isTransient, pause } from '@casewatch/platform';
import type { Context } from '../context.ts';

const againMs = 500;
const unstoppable = new AbortController().signal;

/**
 * Stores what a provider has answered: a database that is away for a moment must not make a message that was accepted
 * look as if it might not have been. Tried until the claim ends, `withinMs` from now.
 * @throws what `store` threw last
 */
export async function storeSurely<T>(ctx: Context, withinMs: number, store: () => Promise<T>): Promise<T> {
  const endsAt = performance.now() + withinMs;
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!isTransient(error) || performance.now() + againMs > endsAt) throw error;
      ctx.log.warn({ err: error }, 'send result not stored; trying again');
      await pause(againMs, unstoppable);
    }
  }
}
