import { randomUUID } from 'node:crypto';
import {
  type Clock,
  createBase,
  createCursors,
  createIdempotency,
  createSecretBox,
  principalVerifier,
  type RunningService,
  serverTls,
  startHttp,
  systemClock,
} from '@casewatch/platform';
import type { IdentityConfig } from './config.ts';
import type { Context } from './context.ts';
import { createAccessTokens } from './credentials/access-token.ts';
import { createMacs } from './credentials/macs.ts';
import { signingKeyPurpose } from './credentials/new-signing-key.ts';
import { settleEveryMs } from './domain/settlement.ts';
import { subscriptions } from './events/subscriptions.ts';
import { createCodeFailures } from './limits/code-failures.ts';
import { routes } from './http/routes.ts';
import { announceRevision } from './loops/announce-revision.ts';
import { composeChangeMail } from './loops/change-mails.ts';
import { composeLoginCode } from './loops/login-code-mails.ts';
import { composeUndo } from './loops/undo-mails.ts';
import { composeVerification } from './loops/verification-mails.ts';
import { startMailLoop } from './loops/mail-loop.ts';
import { settleAddressRequest } from './loops/address-requests.ts';
import { startSigningKeyRing } from './credentials/signing-key-ring.ts';
import { startSignUpSweep } from './loops/sweep-sign-ups.ts';
import { serveRequests } from './requests/serve-requests.ts';
import { ensureSigningKey } from './changes/change-signing-keys.ts';
import { database } from './store/database.ts';
import { resealSigningKeys } from './store/reseal-signing-keys.ts';
import { createStores } from './store/stores.ts';

/** Longest wait for requests under way when stopping, ms. */
const graceMs = 5_000;

const dayMs = 24 * 60 * 60 * 1000;

/** Starts identity: stores, what it answers on the bus and over HTTP, what it consumes, and its mails. */
export async function startIdentity(
  config: IdentityConfig,
  time: Clock = systemClock,
): Promise<RunningService> {
  const base = await createBase('identity', config, time);
  try {
    const { log, clock, bus, db, ids, outbox } = base;
    const stores = createStores(db);
    const idempotency = createIdempotency(db, config.SECRET_PEPPER);
    await base.migrate(database);
    const macs = createMacs(config.SECRET_PEPPER);
    const shared = { bus, clock, log };
    const verificationMails = startMailLoop({
      ...shared,
      queue: stores.emailVerifications.mails,
      compose: (id) => composeVerification({ stores, macs, publicUrl: config.PUBLIC_URL }, id),
    });
    const box = createSecretBox(config.SECRET_PEPPER, signingKeyPurpose);
    await resealSigningKeys(stores.signingKeys, box, log);
    // The last given one has the highest generation, and so signs.
    await ensureSigningKey({ clock, db, stores, box }, config.TOKEN_SIGNING_KEYS?.keys.toReversed() ?? []);
    const signingKeys = await startSigningKeyRing(() => stores.signingKeys.list(box), log);
    base.onStop(() => signingKeys.stop());
    const writing = { clock, config, db, ids, macs, outbox, stores, newId: randomUUID, verificationMails };
    const ctx: Context = {
      ...writing,
      log,
      bus,
      idempotency,
      accessTokens: createAccessTokens(signingKeys.keys, config.PUBLIC_URL),
      signingKeys,
      codeFailures: createCodeFailures({
        clock,
        log,
        meter: base.meter,
        rateLimits: stores.rateLimits,
        alertAt: config.LOGIN_CODE_FAILURES_ALERT,
      }),
      cursors: createCursors(config.CURSOR_KEY, clock.now),
      undoMails: startMailLoop({
        ...shared,
        queue: stores.emailChanges.mails,
        compose: (id) => composeUndo({ stores, macs, publicUrl: config.PUBLIC_URL }, id),
      }),
    };
    const loginMails = startMailLoop({
      ...shared,
      queue: stores.loginChallenges.mails,
      compose: (id) => composeLoginCode({ stores, macs }, id),
      sweepMs: settleEveryMs / 2,
    });
    const changeMails = startMailLoop({
      ...shared,
      queue: stores.emailChangeLinks.mails,
      compose: (id) => composeChangeMail({ clock, stores, macs, publicUrl: config.PUBLIC_URL }, id),
      sweepMs: settleEveryMs,
    });
    const addressRequests = startMailLoop({
      ...shared,
      queue: stores.addressRequests.mails,
      compose: (id) => settleAddressRequest(writing, id),
      sweepMs: settleEveryMs,
    });
    const signUpSweep = startSignUpSweep({ ...ctx, keptMs: config.SIGN_UP_KEPT_DAYS * dayMs });
    base.onStop(() => signUpSweep.stop());
    base.onStop(() => loginMails.stop());
    base.onStop(() => changeMails.stop());
    base.onStop(() => ctx.undoMails.stop());
    base.onStop(() => ctx.verificationMails.stop());
    base.onStop(() => addressRequests.stop());
    serveRequests(ctx);
    const announcing = announceRevision({ bus, log, revocations: stores.revocations });
    base.onStop(() => announcing.stop());
    base.begin(subscriptions(ctx));
    const http = await startHttp({
      service: 'identity',
      log,
      host: config.HOST,
      port: config.PORT,
      tls: serverTls(config),
      ready: base.ready,
      api: {
        handlers: routes(ctx),
        verifier: principalVerifier(config.PRINCIPAL_JWKS, 'identity'),
        idempotency,
      },
      checkAnswers: config.NODE_ENV !== 'production',
    });
    base.onStop(() => http.stop(graceMs));
    return { port: http.port, stop: base.stop };
  } catch (error) {
    await base.stop();
    throw error;
  }
}
