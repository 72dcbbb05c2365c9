import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import {
  type Base,
  type ContextInput,
  type Cursors,
  createCursors,
  createIdempotency,
  createSecretBox,
  type Idempotency,
} from '@casewatch/platform';
import { prepareSigningKeys } from './changes/change-signing-keys.ts';
import type { IdentityConfig } from './config.ts';
import { type AccessTokens, createAccessTokens } from './credentials/access-token.ts';
import { createMacs, type Macs } from './credentials/macs.ts';
import { signingKeyPurpose } from './credentials/new-signing-key.ts';
import { loadSigningKeyRing, type SigningKeyRing } from './credentials/signing-key-ring.ts';
import { type CodeFailures, createCodeFailures } from './limits/code-failures.ts';
import { createStores, type Stores } from './store/stores.ts';

/** Emitted after the commit that queued such mails. */
type Signals = EventEmitter<{ verificationMails: []; undoMails: [] }>;

/** What operations, requests, event handlers and loops work with. */
export type Context = Pick<Base<'identity'>, 'log' | 'clock' | 'ids' | 'db' | 'bus' | 'outbox'> & {
  readonly config: IdentityConfig;
  readonly stores: Stores;
  readonly signals: Signals;
  readonly cursors: Cursors;
  readonly idempotency: Idempotency;
  readonly macs: Macs;
  readonly accessTokens: AccessTokens;
  readonly signingKeys: SigningKeyRing;
  readonly codeFailures: CodeFailures;
  /** An id that cannot be guessed: of a challenge, a link, a session. */
  readonly newId: () => string;
};

/** What it takes to change a user together with its event; the operator's command has this much. */
export type WriteContext = Pick<Context, 'clock' | 'db' | 'outbox' | 'stores'>;

export async function createContext({
  base,
  config,
}: ContextInput<'identity', IdentityConfig>): Promise<Context> {
  const { log, clock, ids, db, bus, outbox, meter } = base;
  const { SECRET_PEPPER: pepper, TOKEN_SIGNING_KEYS: given } = config;
  const stores = createStores(db);
  const box = createSecretBox(pepper, signingKeyPurpose);
  await prepareSigningKeys({ clock, db, log, stores, box }, given?.keys ?? []);
  const signingKeys = await loadSigningKeyRing(() => stores.signingKeys.list(box));
  return {
    config,
    log,
    clock,
    ids,
    db,
    bus,
    outbox,
    stores,
    signals: new EventEmitter(),
    cursors: createCursors(config.CURSOR_KEY, clock.now),
    idempotency: createIdempotency(db, pepper),
    macs: createMacs(pepper),
    accessTokens: createAccessTokens(signingKeys.keys, config.PUBLIC_URL),
    signingKeys,
    codeFailures: createCodeFailures({
      clock,
      log,
      meter,
      rateLimits: stores.rateLimits,
      alertAt: config.LOGIN_CODE_FAILURES_ALERT,
    }),
    newId: randomUUID,
  };
}
