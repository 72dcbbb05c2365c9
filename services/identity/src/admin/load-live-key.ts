import { type ApiKey, isLiveKey } from '../domain/api-key.ts';
import type { AdminContext } from './admin-context.ts';
import { RefusedError } from './command.ts';

/** @throws RefusedError where there is no such key, or it has ended */
export async function loadLiveKey(ctx: AdminContext, id: number): Promise<ApiKey> {
  const key = await ctx.stores.apiKeys.find(id);
  if (!key) throw new RefusedError(`There is no key ${id}.`);
  if (!isLiveKey(key, ctx.clock.now())) throw new RefusedError(`Key ${id} has ended; create a new one.`);
  return key;
}
