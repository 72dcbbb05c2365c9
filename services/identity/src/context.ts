import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type Base, type ContextInput, createCursors, createSecretBox } from '@casewatch/platform';
import { createIdempotency } from '@casewatch/platform/database';
import { prepareSigningKeys } from './changes/change-signing-keys.ts';
import type { IdentityConfig } from './config.ts';
import { createAccessTokens } from './credentials/access-token.ts';
import { createMacs } from './credentials/macs.ts';
import { signingKeyPurpose } from './credentials/new-signing-key.ts';
import type { SigningKey } from './domain/signing-key.ts';
import { createCodeFailures } from './limits/code-failures.ts';
import { measureMails } from './loops/measure-mails.ts';
import type { MailSignal } from './store/mail-queue.ts';
import { factorPurpose } from './store/second-factors.ts';
import { createStores, mailQueues } from './store/stores.ts';

/** `revocations`: a gateway asked for them. */
type Signals = EventEmitter<Record<MailSignal | 'revocations', []>>;

export type Context = Pick<
  Base<'identity'>,
  'log' | 'clock' | 'measured' | 'ids' | 'db' | 'bus' | 'outbox' | 'serviceState'
> &
  Awaited<ReturnType<typeof createParts>>;

/** The part of the context that the operator's command has, too. */
export type WriteContext = Pick<Context, 'clock' | 'db' | 'outbox' | 'stores'>;

type Options = ContextInput<'identity', IdentityConfig>;

export async function createContext(options: Options): Promise<Context> {
  const { log, clock, measured, ids, db, bus, outbox, serviceState } = options.base;
  return { log, clock, measured, ids, db, bus, outbox, serviceState, ...(await createParts(options)) };
}

/** The context of events and loops (`ctx.db` is of their pool). */
export function inBackground(ctx: Context): Context {
  return {
    ...ctx,
    stores: createStores(ctx.db),
    idempotency: createIdempotency(ctx.db, ctx.config.SECRET_PEPPER),
  };
}

async function createParts({ base: { log, clock, db, meter }, config }: Options) {
  const { SECRET_PEPPER: pepper, TOKEN_SIGNING_KEYS: settingsKeys } = config;
  const stores = createStores(db);
  const box = createSecretBox(pepper, signingKeyPurpose);
  const factorBox = createSecretBox(pepper, factorPurpose);
  const resealed = await stores.secondFactors.reseal(factorBox);
  if (resealed > 0) log.info({ count: resealed }, 'keys of second factors sealed with the current pepper');
  await prepareSigningKeys({ clock, db, log, stores, box }, settingsKeys?.keys ?? []);
  const signingKeys = await keepSigningKeys(() => stores.signingKeys.list(box));
  const signals: Signals = new EventEmitter();
  measureMails(meter, { queues: mailQueues(stores), log });
  return {
    config,
    stores,
    signals,
    cursors: createCursors(config.CURSOR_KEY, clock.now),
    idempotency: createIdempotency(db, pepper),
    macs: createMacs(pepper),
    /** Of the keys of second factors. */
    factorBox,
    accessTokens: createAccessTokens(signingKeys.keys, config.PUBLIC_URL),
    signingKeys,
    codeFailures: createCodeFailures({
      clock,
      log,
      meter,
      rateLimits: stores.rateLimits,
      alertAt: config.LOGIN_CODE_FAILURES_ALERT,
    }),
    newId: randomUUID as () => string,
  };
}

/** This replica's copy of the signing keys. */
async function keepSigningKeys(load: () => Promise<readonly SigningKey[]>) {
  let keys = await load();
  return {
    keys: () => keys,
    async refresh() {
      keys = await load();
      return keys;
    },
  };
}
