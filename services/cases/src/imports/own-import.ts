import type { PartnerPrincipal } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { ImportRow } from '../store/imports.ts';

/** @throws ApiError import_not_found, also for another partner's import */
export async function ownImport(
  ctx: Context,
  { partner_id }: PartnerPrincipal,
  id: number,
  session: Session | null = null,
): Promise<ImportRow> {
  const row = await ctx.stores.imports.find(partner_id, id, session);
  if (row === null) throw new ApiError('import_not_found');
  return row;
}

/** The row of the table names one scope; an import also makes people, and sends them mails. @throws ApiError insufficient_scope */
export function assertMayMakePeople({ scopes, staff_id }: PartnerPrincipal): void {
  if (staff_id === undefined && !scopes.includes('users:write'))
    throw new ApiError('insufficient_scope', {
      message: 'This API key does not have the scope users:write.',
    });
}
