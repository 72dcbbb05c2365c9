import { type DefineCommand, defineCommand, RefusedError } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { KeyPair } from '../credentials/api-key.ts';
import type { Partner } from '../store/partners.ts';
import type { AdminContext } from './admin-context.ts';

export const command: DefineCommand<AdminContext> = defineCommand;

export function refuseMissing<T>(
  row: T | null,
  kind: 'partner' | 'key' | 'user' | 'staff member',
  id: number,
): T {
  if (row === null) throw new RefusedError(`There is no ${kind} ${id}.`);
  return row;
}

/** A partner that is there and stays: what is given to one that is being deleted would go with it. */
export async function findStaying(
  ctx: AdminContext,
  id: number,
  tx: Session | null = null,
): Promise<Partner> {
  const partner = refuseMissing(await ctx.stores.partners.find(id, tx), 'partner', id);
  if (partner.deletion)
    throw new RefusedError(`Partner ${id} is being deleted. Restore it first: partner restore ${id}.`);
  return partner;
}

export function keyPairLines(result: string, { api_key, api_secret }: KeyPair): string[] {
  return [`${result} The secret is not shown again.`, `X-API-KEY: ${api_key}`, `X-API-SECRET: ${api_secret}`];
}
