import {
  type Base,
  type Cursors,
  createCursors,
  createIdempotency,
  type Idempotency,
} from '@casewatch/platform';
import { type Admission, createAdmission } from './clients/admission.ts';
import type { CasesConfig } from './config.ts';
import { type AcknowledgementStore, createAcknowledgementStore } from './store/acknowledgements.ts';
import { type CaseStore, createCaseStore } from './store/cases.ts';
import { database } from './store/database.ts';
import { createStatusUpdateStore, type StatusUpdateStore } from './store/status-updates.ts';
import { createUserStateStore, type UserStateStore } from './store/user-states.ts';

/** What operations, event handlers and answers work with. */
export type Context = Pick<Base<'cases'>, 'log' | 'clock' | 'ids' | 'db' | 'bus' | 'outbox'> & {
  readonly config: CasesConfig;
  readonly cursors: Cursors;
  readonly cases: CaseStore;
  readonly statusUpdates: StatusUpdateStore;
  readonly acknowledgements: AcknowledgementStore;
  readonly userStates: UserStateStore;
  readonly idempotency: Idempotency;
  readonly admission: Admission;
};

/** Opens the collections, making them and their indexes where they are missing. */
export async function createContext(base: Base<'cases'>, config: CasesConfig): Promise<Context> {
  await base.migrate(database);
  const { log, clock, ids, db, bus, outbox } = base;
  const cases = createCaseStore(db);
  const statusUpdates = createStatusUpdateStore(db);
  const acknowledgements = createAcknowledgementStore(db);
  const userStates = createUserStateStore(db);
  const idempotency = createIdempotency(db, config.CURSOR_KEY);
  const cursors = createCursors(config.CURSOR_KEY, () => clock.now());
  return {
    config,
    log,
    clock,
    ids,
    db,
    bus,
    outbox,
    cursors,
    cases,
    statusUpdates,
    acknowledgements,
    userStates,
    idempotency,
    admission: createAdmission(bus, log),
  };
}
