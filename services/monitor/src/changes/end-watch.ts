import type { CaseReference } from '@casewatch/contracts';
import { transaction } from '@casewatch/platform';
import { type Receipt, unwatched, type Watch } from '../domain/receipt.ts';
import { leftBy } from '../domain/watchers.ts';
import { type ChangeContext, ConflictError, untilWritten } from './until-written.ts';

export type Ending = {
  case: CaseReference;
  version: number;
  /** Deleted: what is left is a tombstone. Otherwise the case may begin again. */
  isDeleted: boolean;
  /** What a case that is not watched from the beginning knows; it may be watched later. */
  known?: Pick<Watch, 'last_observation' | 'last_facts_hash' | 'awaits'>;
  at: Date;
};

/** Ends a case's watch, in a transaction that writes the receipt too; with its last case a receipt is forgotten. */
export async function endWatch(ctx: ChangeContext, ending: Ending): Promise<void> {
  const { receipts, watches } = ctx.stores;
  const { id: caseId, receipt_number } = ending.case;
  await untilWritten(async () => {
    const stored = await receipts.find(receipt_number);
    const former = await watches.find(caseId);
    if (former && (former.deleted_at || (former.version >= ending.version && !ending.isDeleted))) return true;
    const isForgotten =
      ending.isDeleted && stored !== null && !(await watches.isRememberedElsewhere(receipt_number, caseId));
    await transaction(ctx.db, async (session) => {
      const isWritten =
        stored === null ||
        (isForgotten
          ? await receipts.remove(stored, session)
          : await receipts.write(stored, released(stored, former, ending.at), session));
      if (!isWritten) throw new ConflictError('receipt');
      if (!(await watches.write(former, ended(former, ending), session))) throw new ConflictError('watch');
    });
    return true;
  });
}

function released(receipt: Receipt, former: Watch | null, at: Date): Receipt {
  const left = { ...receipt, ...leftBy(former, receipt), revision: receipt.revision + 1 };
  return left.watchers > 0 ? left : unwatched(left, at);
}

function ended(former: Watch | null, { case: reference, version, isDeleted, known, at }: Ending): Watch {
  const nothing = { last_observation: 0, last_facts_hash: null, last_status_code: null, awaits: null };
  if (isDeleted) {
    // What is left names nobody: neither the receipt nor the user.
    const tombstone = { _id: reference.id, receipt_number: '', case: null, active: false, deleted_at: at };
    return { ...nothing, ...tombstone, version };
  }
  const fresh = { ...nothing, ...known, _id: reference.id, receipt_number: reference.receipt_number };
  return { ...(former ?? fresh), case: reference, version, active: false, deleted_at: null };
}
