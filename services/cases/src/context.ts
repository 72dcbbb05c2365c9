import { EventEmitter } from 'node:events';
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
import { createImportSecrets, type ImportSecrets } from './imports/import-secrets.ts';
import { createOwnChecks, type OwnChecks } from './store/own-checks.ts';
import { createStores, type Stores } from './store/stores.ts';

export type Context = Pick<
  Base<'cases'>,
  'log' | 'clock' | 'ids' | 'db' | 'leases' | 'bus' | 'outbox' | 'serviceState'
> & {
  readonly config: CasesConfig;
  readonly stores: Stores;
  readonly cursors: Cursors;
  readonly idempotency: Idempotency;
  readonly ownChecks: OwnChecks;
  readonly identity: Identity;
  readonly capacity: CapacityCheck;
  readonly importSecrets: ImportSecrets;
  /** `imports`: an import was stored or cancelled here. */
  readonly signals: EventEmitter<{ imports: [] }>;
  /** Creations and updates of one user's cases run one after another: they conflict on the user's state. */
  readonly inTurnOfUser: ReturnType<typeof createKeyedMutex<number>>;
  /** Of partners with a limit of their own. */
  readonly inTurnOfPartner: ReturnType<typeof createKeyedMutex<number>>;
};

/** The context of events and loops (`ctx.db` is of their pool). */
export function inBackground(ctx: Context): Context {
  return { ...ctx, ...storesIn(ctx.db, ctx.config) };
}

function storesIn(db: Context['db'], { CURSOR_KEY: ring }: CasesConfig) {
  return {
    stores: createStores(db),
    idempotency: createIdempotency(db, ring),
    ownChecks: createOwnChecks(db, ring),
  };
}

export function createContext({ base, config }: ContextInput<'cases', CasesConfig>): Context {
  const { log, clock, ids, db, leases, bus, outbox, serviceState } = base;
  return {
    config,
    log,
    clock,
    ids,
    db,
    leases,
    bus,
    outbox,
    serviceState,
    ...storesIn(db, config),
    cursors: createCursors(config.CURSOR_KEY, clock.now),
    identity: createIdentity(bus, log),
    capacity: createCapacityCheck(bus, log),
    importSecrets: createImportSecrets(config.CURSOR_KEY),
    signals: new EventEmitter(),
    inTurnOfUser: createKeyedMutex(),
    inTurnOfPartner: createKeyedMutex(),
  };
}
