import {
  type Clock,
  createBase,
  createMac,
  createSecretBox,
  principalVerifier,
  type RunningService,
  serverTls,
  startHttp,
  systemClock,
} from '@casewatch/platform';
import { createMailer } from './clients/smtp.ts';
import { createWhatsapp, type Whatsapp } from './clients/twilio.ts';
import type { NotifierConfig } from './config.ts';
import type { NotifierContext } from './context.ts';
import { createCircuit } from './domain/circuit.ts';
import { subscriptions } from './events/subscriptions.ts';
import { routes } from './http/routes.ts';
import { concurrency, startLanes } from './loops/lanes.ts';
import { answerSend } from './requests/send.ts';
import { database } from './store/database.ts';
import { createMailStore } from './store/mails.ts';
import { createNotificationStore } from './store/notifications.ts';
import { createSuppressionStore } from './store/suppressions.ts';
import { createTombstoneStore } from './store/tombstones.ts';

/** Starts the notifier; disposable: `stop` finishes what is being sent and lets go of everything. */
export async function startNotifier(
  config: NotifierConfig,
  clock: Clock = systemClock,
): Promise<RunningService> {
  const base = await createBase('notifier', config, clock);
  await base.migrate(database);
  const mailer = (connections: number) =>
    createMailer({
      url: config.SMTP_URL,
      from: config.MAIL_FROM,
      sendTimeoutMs: config.NOTIFY_SEND_TIMEOUT_MS,
      connections,
    });
  const wakers: { wake: NotifierContext['wake'] } = { wake: () => undefined };
  const ctx: NotifierContext = {
    config,
    log: base.log,
    clock: base.clock,
    random: Math.random,
    db: base.db,
    bus: base.bus,
    outbox: base.outbox,
    notifications: await createNotificationStore(base.db),
    mails: await createMailStore(base.db),
    tombstones: await createTombstoneStore(base.db),
    suppressions: await createSuppressionStore(base.db),
    box: createSecretBox(config.NOTIFIER_ENCRYPTION_KEY, 'account mails'),
    links: createMac(config.NOTIFIER_HMAC_KEY, 'unsubscribe links'),
    statusMailer: mailer(concurrency.email),
    accountMailer: mailer(concurrency.mails),
    whatsapp: whatsappOf(config),
    circuits: {
      email: createCircuit(config.NOTIFY_RETRY_SCALE),
      whatsapp: createCircuit(config.NOTIFY_RETRY_SCALE),
    },
    wake: (lane) => wakers.wake(lane),
  };
  base.onStop(async () => {
    ctx.statusMailer.close();
    ctx.accountMailer.close();
  });
  base.bus.serve('notifier.send', answerSend(ctx));
  base.begin(subscriptions(ctx));
  const lanes = startLanes(ctx);
  wakers.wake = lanes.wake;
  base.onStop(() => lanes.stop());
  const http = await startHttp({
    service: 'notifier',
    log: base.log,
    host: config.HOST,
    port: config.PORT,
    tls: serverTls(config),
    ready: base.ready,
    api: { handlers: routes(ctx), verifier: principalVerifier(config.PRINCIPAL_JWKS, 'notifier') },
    checkAnswers: config.NODE_ENV !== 'production',
  });
  base.onStop(() => http.stop(5_000));
  return { port: http.port, stop: base.stop };
}

function whatsappOf(config: NotifierConfig): Whatsapp | null {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = config;
  if (!accountSid || !authToken || !from) return null;
  return createWhatsapp({
    accountSid,
    authToken,
    from,
    contentSids: config.TWILIO_CONTENT_SIDS.status_update,
    apiBaseUrl: config.TWILIO_API_BASE_URL,
    timeoutMs: config.NOTIFY_SEND_TIMEOUT_MS,
  });
}
