import type { PartnerPrincipal, Scope } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { ApiKey } from '../domain/api-key.ts';

/** @throws ApiError key_not_found, the same for another partner's as for one that does not exist */
export async function loadKey(ctx: Context, caller: PartnerPrincipal, id: number): Promise<ApiKey> {
  const key = await ctx.stores.apiKeys.find(id);
  if (key?.partner_id !== caller.partner_id) throw new ApiError('key_not_found');
  return key;
}

/**
 * A key hands on what it may do and no more, else one that was limited on purpose could make itself one that is not.
 * @throws ApiError insufficient_scope
 */
export function refuseMoreThanOwn(caller: PartnerPrincipal, wanted: readonly Scope[]): void {
  const missing = wanted.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length === 0) return;
  throw new ApiError('insufficient_scope', {
    message: `This API key cannot give what it does not have: ${missing.join(', ')}.`,
  });
}
