import {
  type Base,
  type ContextInput,
  type Cursors,
  createCursors,
  createKeyedMutex,
} from '@casewatch/platform';
import { createIdempotency, type Idempotency } from '@casewatch/platform/database';
import { createIdentity, type Identity } from './clients/identity.ts';
import { type CapacityCheck, createCapacityCheck } from './clients/monitor.ts';
import type { CasesConfig } from './config.ts';
import { createOwnChecks, type OwnChecks } from './store/own-checks.ts';
import { createStores, type Stores } from './store/stores.ts';

export type Context = Pick<
  Base<'cases'>,
  'log' | 'clock' | 'ids' | 'db' | 'bus' | 'outbox' | 'serviceState'
> & {
  readonly config: CasesConfig;
  readonly stores: Stores;
  readonly cursors: Cursors;
  readonly idempotency: Idempotency;
  readonly ownChecks: OwnChecks;
  readonly identity: Identity;
  readonly capacity: CapacityCheck;
  /** Creations and updates of one user's cases run one after another: they conflict on the user's state. */
  readonly inTurnOfUser: ReturnType<typeof createKeyedMutex<number>>;
};

export function createContext({ base, config }: ContextInput<'cases', CasesConfig>): Context {
  const { log, clock, ids, db, bus, outbox, serviceState } = base;
  return {
    config,
    log,
    clock,
    ids,
    db,
    bus,
    outbox,
    serviceState,
    stores: createStores(db),
    cursors: createCursors(config.CURSOR_KEY, clock.now),
    idempotency: createIdempotency(db, config.CURSOR_KEY),
    ownChecks: createOwnChecks(db, config.CURSOR_KEY),
    identity: createIdentity(bus, log),
    capacity: createCapacityCheck(bus, log),
    inTurnOfUser: createKeyedMutex(),
  };
}
