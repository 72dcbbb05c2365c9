import {
  type Base,
  type ContextInput,
  type Cursors,
  createCursors,
  createIdempotency,
  createKeyedMutex,
  type Idempotency,
} from '@casewatch/platform';
import { type CapacityCheck, createCapacityCheck } from './clients/capacity-check.ts';
import type { CasesConfig } from './config.ts';
import { createStores, type Stores } from './store/stores.ts';

export type Context = Pick<Base<'cases'>, 'log' | 'clock' | 'ids' | 'db' | 'bus' | 'outbox'> & {
  readonly config: CasesConfig;
  readonly stores: Stores;
  readonly cursors: Cursors;
  readonly idempotency: Idempotency;
  readonly capacity: CapacityCheck;
  /** Activations of one user run one after another: they conflict on the user's state. */
  readonly inTurnOfUser: ReturnType<typeof createKeyedMutex<number>>;
};

export function createContext({ base, config }: ContextInput<'cases', CasesConfig>): Context {
  const { log, clock, ids, db, bus, outbox } = base;
  return {
    config,
    log,
    clock,
    ids,
    db,
    bus,
    outbox,
    stores: createStores(db),
    cursors: createCursors(config.CURSOR_KEY, clock.now),
    idempotency: createIdempotency(db, config.CURSOR_KEY),
    capacity: createCapacityCheck(bus, log),
    inTurnOfUser: createKeyedMutex(),
  };
}
