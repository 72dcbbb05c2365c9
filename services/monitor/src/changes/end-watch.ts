import type { CaseReference } from '@casewatch/contracts';
import { transaction } from '@casewatch/platform/database';
import { noUpdate } from '../domain/case-update.ts';
import { type Receipt, unwatched, type Watch } from '../domain/receipt.ts';
import { type ChangeContext, retryOnConflict } from './change-receipt.ts';

export type EndRequest = {
  case: CaseReference;
  version: number;
  /** True: a tombstone remains. False: the watch can begin again. */
  isDeleted: boolean;
  /** The knowledge of a case that was never watched. */
  lastKnown?: Partial<Pick<Watch, 'last_observation' | 'last_facts_hash' | 'last_update' | 'awaits'>>;
  at: Date;
};

/** Ends the watch of a case: one transaction writes watch and receipt. With its last case the receipt is deleted. */
export async function endWatch(ctx: ChangeContext, request: EndRequest): Promise<void> {
  const { receipts, watches } = ctx.stores;
  const { case: reference, version, isDeleted, at } = request;
  const { receipt_number } = reference;
  await retryOnConflict(async () => {
    const stored = await receipts.find(receipt_number);
    const former = await watches.find(reference.id);
    if (former && (former.deleted_at || (former.version >= version && !isDeleted))) return;
    const isLast = isDeleted && !(await watches.isUsedByOtherCase(receipt_number, reference.id));
    await transaction(ctx.db, async (session) => {
      if (stored && isLast) await receipts.remove(stored, session);
      else if (stored) await receipts.write(stored, releasedReceipt(stored, former, at), session);
      await watches.write(former, endedWatch(former, request, stored), session);
    });
  });
}

function releasedReceipt(receipt: Receipt, former: Watch | null, at: Date): Receipt {
  const watchers = receipt.watchers - (former?.active ? 1 : 0);
  const watched_by = former?.active ? null : receipt.watched_by;
  const next = { ...receipt, watchers, watched_by, revision: receipt.revision + 1 };
  return next.watchers > 0 ? next : unwatched(next, at);
}

function endedWatch(
  former: Watch | null,
  { case: reference, version, isDeleted, lastKnown, at }: EndRequest,
  receipt: Receipt | null,
): Watch {
  const known = { ...noUpdate, awaits: null, begun_revision: null, ended_revision: null };
  const fresh = { ...known, _id: reference.id, version, active: false };
  // A tombstone names neither the receipt nor the user.
  if (isDeleted) return { ...fresh, receipt_number: '', case: null, deleted_at: at };
  const { receipt_number } = reference;
  return {
    ...(former ?? { ...fresh, receipt_number, ...lastKnown }),
    case: reference,
    version,
    active: false,
    deleted_at: null,
    ended_revision: former?.active && receipt ? receipt.revision + 1 : (former?.ended_revision ?? null),
  };
}
