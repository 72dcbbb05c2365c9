import type { PartnerPrincipal } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { ApiKey } from '../domain/api-key.ts';

/** @throws ApiError key_not_found, the same for another partner's as for one that does not exist */
export async function loadKey(ctx: Context, caller: PartnerPrincipal, id: number): Promise<ApiKey> {
  const key = await ctx.stores.apiKeys.find(id);
  if (key?.partner_id !== caller.partner_id) throw new ApiError('key_not_found');
  return key;
}
