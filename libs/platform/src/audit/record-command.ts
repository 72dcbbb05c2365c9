import type { AuditRecord } from '@casewatch/contracts';
import { v7 as uuidv7 } from 'uuid';
import { rowContext } from '../telemetry/logger.ts';
import { inTransactions } from '../store/transaction-step.ts';
import { type Acting, recordOf, whileActing } from './acting.ts';

/** Stores the record of an operator's command in the caller's transaction. */
export type AddRecord = (session: unknown, record: AuditRecord) => Promise<unknown>;

type Recorded = { words: string; at: Date; add: AddRecord };

/** Runs an operator's command: each of its transactions that did something to a partner (`actedFor`) stores a record (firm.md §2). */
export async function recordCommand<T>({ words, at, add }: Recorded, run: () => Promise<T>): Promise<T> {
  const draft = {
    at: at.toISOString(),
    actor: { kind: 'operator', id: null, console_session_id: null },
    operation: `admin ${words}`,
    status: 200,
    network: null,
    request_id: rowContext().request_id,
  } as const;
  const acting: Acting = { objects: new Map(), partnerId: null };
  return await whileActing(acting, () =>
    inTransactions(
      {
        begin: () => acting.objects.clear(),
        end: async (session) => {
          if (acting.partnerId === null || acting.objects.size === 0) return;
          const whole = { ...draft, id: uuidv7(), partner_id: acting.partnerId };
          await add(session, recordOf({ draft: whole, objects: [...acting.objects.values()] }));
        },
      },
      run,
    ),
  );
}
