import type { AuditObject } from '@casewatch/contracts';
import { draftOf, recordOf, shortNetworkOf } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { ImportRow } from '../store/imports.ts';

/**
 * Records what a row did to a case, in the transaction that does it (firm.md §2): the call that began the import ended before, and
 * says nothing of its cases. Identity records what the row did to the person.
 */
export async function recordRow(
  ctx: Context,
  session: Session,
  { import: row, userId, caseId }: { import: ImportRow; userId: number; caseId: number },
): Promise<void> {
  const { _id, partner_id, actor } = row;
  const { key_id, staff_id, address } = actor;
  const caller = { kind: 'partner' as const, partner_id, key_id: key_id ?? '', scopes: [] };
  const principal = staff_id === null ? caller : { ...caller, staff_id };
  const draft = draftOf('create_import', { principal, address }, ctx.clock.now());
  if (draft === null) return;
  const object = (kind: AuditObject['kind'], id: number) => ({ kind, id: String(id) });
  const objects = [object('case', caseId), object('user', userId), object('import', _id)];
  const record = recordOf({ draft, objects, status: 202 });
  await ctx.outbox.add(session, 'cases.audited', `partner/${partner_id}`, { records: [record] }, record.id);
}

export function networkOfImport({ actor }: ImportRow): string | null {
  return shortNetworkOf(actor.address);
}
