import { type DefineCommand, defineCommand, RefusedError } from '@casewatch/platform';
import type { KeyPair } from '../credentials/api-key.ts';
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

export function keyPairLines(result: string, { api_key, api_secret }: KeyPair): string[] {
  return [`${result} The secret is not shown again.`, `X-API-KEY: ${api_key}`, `X-API-SECRET: ${api_secret}`];
}
