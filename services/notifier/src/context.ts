import { EventEmitter } from 'node:events';
import type { Channel, Params } from '@casewatch/contracts';
import {
  type Base,
  type ContextInput,
  createMac,
  createSecretBox,
  type Mac,
  type SecretBox,
} from '@casewatch/platform';
import { type Alarms, createAlarms } from './alarms.ts';
import { type AddressHashes, createAddressHashes } from './clients/address-hashes.ts';
import { type MailCallbackVerifier, resendVerifier, sendgridVerifier } from './clients/mail-callbacks.ts';
import { createMailer, type DkimKey, type Mailer } from './clients/smtp.ts';
import { createSns, type Sns } from './clients/sns.ts';
import { createTurns, type Turns } from './clients/turns.ts';
import { createWhatsapp, type Whatsapp } from './clients/twilio.ts';
import type { NotifierConfig } from './config.ts';
import { type Circuit, createCircuit } from './domain/circuit.ts';
import { parseQuietHours, type QuietHours } from './domain/quiet-hours.ts';
import { readTopic } from './domain/sns-message.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { Unsent } from './store/message-counts.ts';
import { createStores, type Stores } from './store/stores.ts';

/** `news`: of firms; `alerts`: to their members, before they are in a mail. */
type Queue = Channel | 'mails' | 'member_mails' | 'news' | 'alerts';

/** Messages of one queue that a process sends in parallel; also the size of each SMTP pool. */
export const concurrency = 16;

const dayMs = 24 * 60 * 60 * 1_000;

export type Context = Pick<Base<'notifier'>, 'log' | 'clock' | 'db' | 'bus' | 'outbox' | 'serviceState'> & {
  readonly config: NotifierConfig;
  readonly random: () => number;
  readonly stores: Stores;
  /** A message of the queue may be due. */
  readonly signals: EventEmitter<Record<Queue, []>>;
  /** For rows that become due without a signal. */
  readonly alarms: Alarms<Queue>;
  readonly box: SecretBox;
  readonly links: Mac;
  /** Two pools, so that account mail does not wait for status mail. */
  readonly statusMailer: Mailer;
  readonly accountMailer: Mailer;
  readonly whatsapp: Whatsapp | null;
  readonly quietHours: QuietHours | null;
  /** By scope: a channel, `mails`, or a template in a language. */
  readonly circuits: { of(scope: string): Circuit; readonly all: ReadonlyMap<string, Circuit> };
  readonly metrics: Metrics;
  readonly addressHashes: AddressHashes;
  readonly mailCallbacks: Partial<
    Record<Exclude<Params<'email_callback'>['provider'], 'ses'>, MailCallbackVerifier>
  >;
  /** Brings the reports of Amazon SES; null: not used. */
  readonly sns: Sns | null;
};

export function createContext({ base, config }: ContextInput<'notifier', NotifierConfig>): Context {
  const { log, clock, db, bus, outbox, serviceState } = base;
  const circuits = createCircuits(config.NOTIFY_RETRY_SCALE);
  const stores = createStores(db);
  const metrics = createMetrics(base.meter, {
    log,
    circuits: circuits.all,
    longestWaitSeconds: stores.notifications.longestWaitSeconds,
    unsent: (queue) => unsentOf(stores, queue),
    unreached: () => stores.firmNews.countUnreached(dayMs),
  });
  const turns = createTurns({ count: config.NOTIFY_UNANSWERED_MAILS, onLate: metrics.answerIsLate });
  const statusMailer = mailerOf(config, { turns, isUrgent: false });
  const accountMailer = mailerOf(config, { turns, isUrgent: true });
  const signals: Context['signals'] = new EventEmitter();
  const sns = snsOf(config);
  base.onStop(async () => {
    sns?.stop();
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
    serviceState,
    stores,
    signals,
    alarms: createAlarms(signals),
    box: createSecretBox(config.NOTIFIER_ENCRYPTION_KEY, 'account mails'),
    links: createMac(config.NOTIFIER_HMAC_KEY, 'unsubscribe links'),
    statusMailer,
    accountMailer,
    whatsapp: whatsappOf(config),
    quietHours: parseQuietHours(config.NOTIFY_QUIET_HOURS, config.NOTIFY_TIME_ZONE),
    circuits,
    metrics,
    addressHashes: createAddressHashes(config.NOTIFIER_HMAC_KEY),
    mailCallbacks: mailCallbacksOf(config),
    sns,
  };
}

/** What should have been sent by now. News of firms waits for identity and cases before it becomes alerts. */
export async function unsentOf(
  { mails, notifications, firmNews, alerts }: Stores,
  queue: Channel | 'mails' | 'member_mails',
): Promise<Unsent> {
  if (queue === 'mails') return await mails.unsent();
  if (queue !== 'member_mails') return await notifications.unsent(queue);
  const [news, told] = await Promise.all([firmNews.unsent(), alerts.unsent()]);
  return {
    count: news.count + told.count,
    oldestSeconds: Math.max(news.oldestSeconds, told.oldestSeconds),
  };
}

/** The context of events and loops (`ctx.db` is of their pool). */
export function inBackground(ctx: Context): Context {
  return { ...ctx, stores: createStores(ctx.db) };
}

export function mailerOf(config: NotifierConfig, use: { turns: Turns; isUrgent: boolean }): Mailer {
  return createMailer({
    url: config.SMTP_URL,
    from: config.MAIL_FROM,
    sendTimeoutMs: config.NOTIFY_SEND_TIMEOUT_MS,
    connections: concurrency,
    dkim: dkimOf(config),
    ...use,
  });
}

export function whatsappOf(config: NotifierConfig): Whatsapp | null {
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

function createCircuits(scale: number): Context['circuits'] {
  const all = new Map<string, Circuit>();
  return {
    all,
    of(scope) {
      const circuit = all.get(scope) ?? createCircuit(scale);
      all.set(scope, circuit);
      return circuit;
    },
  };
}

function mailCallbacksOf(config: NotifierConfig): Context['mailCallbacks'] {
  const { MAIL_CALLBACK_SENDGRID_KEY: sendgrid, MAIL_CALLBACK_RESEND_SECRET: resend } = config;
  return {
    ...(sendgrid && { sendgrid: sendgridVerifier(sendgrid) }),
    ...(resend && { resend: resendVerifier(resend) }),
  };
}

export function snsOf(config: NotifierConfig): Sns | null {
  const topic = config.MAIL_CALLBACK_SES_TOPIC ? readTopic(config.MAIL_CALLBACK_SES_TOPIC) : null;
  return topic && createSns({ topic, address: config.MAIL_CALLBACK_SES_ADDRESS });
}

function dkimOf(config: NotifierConfig): DkimKey | null {
  const { MAIL_DKIM_DOMAIN: domainName, MAIL_DKIM_SELECTOR: keySelector, MAIL_DKIM_KEY: privateKey } = config;
  return domainName && keySelector && privateKey ? { domainName, keySelector, privateKey } : null;
}
