import type { Bus, Clock, Connection, Cursors, Idempotency, Ids, Logger, Outbox } from '@casewatch/platform';
import type { IdentityConfig } from './config.ts';
import type { AccessTokens } from './credentials/access-token.ts';
import type { Macs } from './credentials/macs.ts';
import type { CodeFailures } from './limits/code-failures.ts';
import type { MailLoop } from './loops/mail-loop.ts';
import type { SigningKeyRing } from './credentials/signing-key-ring.ts';
import type { Stores } from './store/stores.ts';

/** What it takes to change a user together with its event; the operator's command has this much. */
export type WriteContext = {
  readonly clock: Clock;
  readonly db: Connection;
  readonly outbox: Outbox<'identity'>;
  readonly stores: Stores;
};

/** Everything a handler of identity works with. */
export type Context = WriteContext & {
  readonly config: IdentityConfig;
  readonly log: Logger;
  readonly ids: Ids;
  readonly bus: Bus;
  readonly macs: Macs;
  readonly accessTokens: AccessTokens;
  readonly signingKeys: SigningKeyRing;
  readonly cursors: Cursors;
  /** Name for something new that must not be guessed: a challenge, a link, a session. */
  readonly newId: () => string;
  readonly verificationMails: MailLoop;
  /** To old addresses. */
  readonly undoMails: MailLoop;
  readonly idempotency: Idempotency;
  readonly codeFailures: CodeFailures;
};
