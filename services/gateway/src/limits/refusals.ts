import type { Operation, OperationName, Principal } from '@casewatch/contracts';
import {
  ApiError,
  authorise,
  type Bus,
  type Clock,
  createRecordQueue,
  draftOf,
  type Logger,
  type Running,
  recordOf,
  type SignedCaller,
} from '@casewatch/platform';

/** Of the operation of a record. */
const maxOperationLength = 64;
/** Records that wait while identity is away. */
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
  const queue = createRecordQueue({
    log,
    max: maxWaiting,
    store: (records) => bus.request('identity.record_refusals', { records }),
  });

  function note(operation: string, caller: SignedCaller, { status }: ApiError): void {
    const draft = status === 403 ? draftOf(operation, caller, clock.now()) : null;
    if (draft) queue.add(recordOf({ draft, objects: [], status }));
  }

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
    stop: queue.stop,
  };
}
