import { EventEmitter } from 'node:events';
import type { Channel } from '@casewatch/contracts';
import {
  type Base,
  type ContextInput,
  createMac,
  createSecretBox,
  type Mac,
  type SecretBox,
} from '@casewatch/platform';
import { createMailer, type Mailer } from './clients/smtp.ts';
import { createWhatsapp, type Whatsapp } from './clients/twilio.ts';
import type { NotifierConfig } from './config.ts';
import { type Circuit, createCircuit } from './domain/circuit.ts';
import { parseQuietHours, type QuietHours } from './domain/quiet-hours.ts';
import { createStores, type Stores } from './store/stores.ts';

type Queue = Channel | 'mails';

/** Messages of one queue that a process sends in parallel; also the size of each SMTP pool. */
export const concurrency = 10;

export type Context = Pick<Base<'notifier'>, 'log' | 'clock' | 'db' | 'bus' | 'outbox'> & {
  readonly config: NotifierConfig;
  readonly random: () => number;
  readonly stores: Stores;
  /** A message of the queue may be due. */
  readonly signals: EventEmitter<Record<Queue, []>>;
  /** Encrypts the content of mails. */
  readonly box: SecretBox;
  /** Signs unsubscribe links. */
  readonly links: Mac;
  /** Two pools, so that account mail does not wait for status mail. */
  readonly statusMailer: Mailer;
  readonly accountMailer: Mailer;
  /** Null if Twilio is not configured. */
  readonly whatsapp: Whatsapp | null;
  /** Null: there are none. */
  readonly quietHours: QuietHours | null;
  readonly circuits: Readonly<Record<Channel, Circuit>>;
};

export function createContext({ base, config }: ContextInput<'notifier', NotifierConfig>): Context {
  const { log, clock, db, bus, outbox } = base;
  const statusMailer = mailerOf(config);
  const accountMailer = mailerOf(config);
  base.onStop(async () => {
    statusMailer.close();
    accountMailer.close();
  });
  return {
    config,
    log,
    clock,
    random: Math.random,
    db,
    bus,
    outbox,
    stores: createStores(db),
    signals: new EventEmitter(),
    box: createSecretBox(config.NOTIFIER_ENCRYPTION_KEY, 'account mails'),
    links: createMac(config.NOTIFIER_HMAC_KEY, 'unsubscribe links'),
    statusMailer,
    accountMailer,
    whatsapp: whatsappOf(config),
    quietHours: parseQuietHours(config.NOTIFY_QUIET_HOURS, config.NOTIFY_TIME_ZONE),
    circuits: {
      email: createCircuit(config.NOTIFY_RETRY_SCALE),
      whatsapp: createCircuit(config.NOTIFY_RETRY_SCALE),
    },
  };
}

function mailerOf(config: NotifierConfig): Mailer {
  return createMailer({
    url: config.SMTP_URL,
    from: config.MAIL_FROM,
    sendTimeoutMs: config.NOTIFY_SEND_TIMEOUT_MS,
    connections: concurrency,
  });
}

function whatsappOf(config: NotifierConfig): Whatsapp | null {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = config;
  if (!accountSid || !authToken || !from) return null;
  return createWhatsapp({
    accountSid,
    authToken,
    from,
    contentSids: config.TWILIO_CONTENT_SIDS,
    apiBaseUrl: config.TWILIO_API_BASE_URL,
    timeoutMs: config.NOTIFY_SEND_TIMEOUT_MS,
  });
}
