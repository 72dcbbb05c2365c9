import type { AuditRecord, OperationName } from '@casewatch/contracts';
import { ApiError } from '../errors.ts';
import type { SignedCaller } from '../http/callers/principal.ts';
import type { Answer } from '../http/handler.ts';
import type { Route } from '../http/routes.ts';
import { inTransactions, type TransactionStep } from '../store/transaction-step.ts';
import { type Acting, draftOf, objectsOfPath, recordOf, whileActing } from './acting.ts';
import type { ShownRead } from './shown-again.ts';

/** Where a service stores the records of its calls. */
export type AuditLog = {
  /** In the caller's transaction. A record that is there already is not stored again. */
  add(session: unknown, record: AuditRecord): Promise<void>;
  /** In a transaction of its own. */
  store(record: AuditRecord): Promise<void>;
  /** Within half a second; lost if the process is killed before. */
  later(record: AuditRecord): void;
  /** Whether a read shows an open page what it has shown before: the record of the first time tells of it. */
  isShownAgain(read: ShownRead): boolean;
};

type Recorded = {
  row: Route;
  signed: SignedCaller;
  params: object;
  query: object;
  audit: AuditLog | undefined;
  now: Date;
};

/**
 * Runs the handler of a call and records it as its row says (firm.md §2): an effect in the transaction that has it, neither
 * without the other; what only acts outside before the answer; a read of personal data, and a refusal, shortly after it.
 */
export async function recordCall(
  { row, signed, params, query, audit, now }: Recorded,
  handle: () => Promise<Answer<OperationName>>,
): Promise<Answer<OperationName>> {
  const draft = row.recorded && audit ? draftOf(row.name, signed, now) : null;
  const isOwnRead = row.recorded === 'read' && signed.principal.kind === 'user';
  if (!audit || draft === null || isOwnRead) return await handle();
  const done = { ...draft, status: row.success.status };
  const acting: Acting = { objects: new Map(), partnerId: draft.partner_id };
  const named = objectsOfPath(params);
  const record = (count: number | null = null) => {
    const acted = [...acting.objects.values()];
    const others = named.filter(({ kind, id }) => !acting.objects.has(`${kind}:${id}`));
    return recordOf({ draft: done, objects: [...acted, ...others], count });
  };
  const step: TransactionStep = {
    begin: () => acting.objects.clear(),
    end: async (session) => {
      if (acting.objects.size > 0) await audit.add(session, record());
    },
  };
  try {
    if (row.recorded === 'effect') return await whileActing(acting, () => inTransactions(step, handle));
    const answer = await whileActing(acting, handle);
    if (row.recorded === 'outside') await audit.store(record());
    else if (!audit.isShownAgain({ operation: row.name, signed, params, query, answer, now }))
      audit.later(record(rowsOf(answer)));
    return answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403)
      audit.later(recordOf({ draft, objects: named, status: error.status }));
    throw error;
  }
}

/** How many rows a list has; null for an answer that is no list. */
function rowsOf({ body }: Answer<OperationName>): number | null {
  const list = Object.values(body ?? {}).find((value) => Array.isArray(value));
  return Array.isArray(list) ? list.length : null;
}
