import type { AuditRecord, Operation, OperationName, Principal } from '@casewatch/contracts';
import { maxAuditRecords } from '@casewatch/contracts';
import {
  ApiError,
  authorise,
  type Bus,
  type Clock,
  draftOf,
  every,
  type Logger,
  type Running,
  recordOf,
  type SignedCaller,
} from '@casewatch/platform';

/** Longest time between a refusal and its record, ms (firm.md §2). */
const everyMs = 500;
/** Of the operation of a record. */
const maxOperationLength = 64;
/** Records that wait while identity is away: the newest ones are lost then. */
const maxWaiting = 5_000;

type Authorised = { name: OperationName; row: Operation; principal: Principal; address: string };

/** What callers of a partner were not permitted to do. No service sees it, so the gateway has it recorded. */
export type Refusals = Running & {
  /** @throws ApiError what `authorise` throws */
  authorise(call: Authorised): void;
  /** Notes the refusal of a page, which no operation of the interface is, and returns its error. */
  ofPage(path: string, caller: SignedCaller, error: ApiError): ApiError;
};

export function createRefusals({ bus, clock, log }: { bus: Bus; clock: Clock; log: Logger }): Refusals {
  let waiting: AuditRecord[] = [];

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const records = waiting.slice(0, maxAuditRecords);
      await bus.request('identity.record_refusals', { records });
      waiting = waiting.slice(records.length);
    }
  }

  function note(operation: string, caller: SignedCaller, { status }: ApiError): void {
    const draft = status === 403 ? draftOf(operation, caller, clock.now()) : null;
    if (draft && waiting.length < maxWaiting) waiting.push(recordOf({ draft, objects: [], status }));
  }

  const failed = (err: unknown) => log.warn({ err, waiting: waiting.length }, 'refusals not recorded yet');
  const loop = every(everyMs, send, failed);
  return {
    authorise({ name, row, principal, address }) {
      try {
        authorise(row, principal);
      } catch (error) {
        if (error instanceof ApiError) note(name, { principal, address }, error);
        throw error;
      }
    },
    ofPage(path, caller, error) {
      note(`page ${path}`.slice(0, maxOperationLength), caller, error);
      return error;
    },
    async stop() {
      await loop.stop();
      await send().catch(failed);
    },
  };
}
