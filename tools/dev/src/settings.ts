import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { type Addresses, databaseAt, httpAt } from './addresses.ts';
import type { DataDir } from './data-dir.ts';
import { OPEN_LIMITS } from './open-limits.ts';
import { HOST, type Ports, replicaPort } from './ports.ts';
import type { Secrets } from './secrets.ts';

export type Settings = Record<string, string>;

export interface SettingsSource {
  ports: Ports;
  addresses: Addresses;
  secrets: Secrets;
  /** The environment of npm start. */
  env: NodeJS.ProcessEnv;
}

/** Variables of npm start that services get. */
const FORWARDED = [
  'DRAIN_MS',
  'LOG_LEVEL',
  'RATE_LIMIT_SCALE',
  'ADDRESS_BATCH_MS',
  'NOTIFY_RETRY_SCALE',
  'EVENTS_RETRY_SCALE',
  'MONITOR_INTERVAL_SCALE',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
];
const WITH_PUBLIC_HTTP: ServiceName[] = ['identity', 'cases', 'webhooks', 'notifier'];

export function settingsOfAll(situation: SettingsSource): Record<ServiceName, Settings> {
  const { env } = situation;
  const forwarded = Object.fromEntries(FORWARDED.flatMap((key) => (env[key] ? [[key, env[key]]] : [])));
  const entries = serviceNames.map((name) => [
    name,
    { ...commonSettings(name, situation), ...ownSettings(name, situation), ...forwarded },
  ]);
  return Object.fromEntries(entries);
}

/**
 * The settings of the first replica of each service. If there are several, it listens beside the port of its service, so that
 * `--only` takes its place alone.
 */
export function settingsOfReplicas(source: SettingsSource, replicas: number): Record<ServiceName, Settings> {
  const settings = settingsOfAll(source);
  if (replicas > 1)
    for (const name of serviceNames) settings[name].PORT = String(replicaPort(source.ports, name, 0));
  return settings;
}

/** The NATS user `streams` declares the streams. */
export function settingsOfStreams({ addresses, secrets, env }: SettingsSource) {
  return {
    NODE_ENV: 'development',
    NATS_URL: addresses.nats_url,
    NATS_USER: (env.NATS_URL && env.NATS_USER) || 'streams',
    NATS_PASSWORD: (env.NATS_URL && env.NATS_PASSWORD) || secrets.natsPasswords.streams,
  };
}

function commonSettings(name: ServiceName, { ports, addresses, secrets, env }: SettingsSource): Settings {
  const settings: Settings = {
    NODE_ENV: 'development',
    HOST,
    PORT: String(ports[name]),
    LOG_LEVEL: 'info',
    NATS_URL: addresses.nats_url,
    // A server of the user's own (NATS_URL) has other users, or none.
    NATS_USER: (env.NATS_URL && env.NATS_USER) || name,
    NATS_PASSWORD: (env.NATS_URL && env.NATS_PASSWORD) || secrets.natsPasswords[name],
  };
  // The variable of the OpenTelemetry specification: without traces and metrics the services are faster.
  if (env.OTEL_SDK_DISABLED !== 'true') {
    settings.OTEL_EXPORTER_OTLP_ENDPOINT = addresses.traces_url;
    settings.METRICS_PORT = String(ports[`${name}_metrics`]);
  }
  if (name !== 'gateway') settings.MONGODB_URL = databaseAt(addresses.mongodb_url, name);
  if (WITH_PUBLIC_HTTP.includes(name)) settings.PRINCIPAL_JWKS = jwks(secrets.principal.public);
  return settings;
}

function ownSettings(name: ServiceName, { ports, addresses, secrets }: SettingsSource): Settings {
  switch (name) {
    case 'gateway':
      return {
        PRINCIPAL_KEY: JSON.stringify(secrets.principal.private),
        IDENTITY_URL: httpAt(ports.identity),
        CASES_URL: httpAt(ports.cases),
        WEBHOOKS_URL: httpAt(ports.webhooks),
        NOTIFIER_URL: httpAt(ports.notifier),
        PUBLIC_URL: addresses.gateway_url,
        TRACES_URL: addresses.traces_url,
      };
    case 'identity':
      return {
        PUBLIC_URL: addresses.gateway_url,
        SECRET_PEPPER: secrets.secretPepper,
        TOKEN_SIGNING_KEYS: jwks(secrets.token.private),
        CURSOR_KEY: secrets.cursorKeys.identity,
      };
    case 'cases':
      return { CURSOR_KEY: secrets.cursorKeys.cases };
    case 'monitor':
      return {
        USCIS_TOKEN_URL: `${addresses.uscis_url}/oauth/accesstoken`,
        USCIS_API_URL: `${addresses.uscis_url}/case-status`,
        USCIS_CLIENT_ID: secrets.uscis.clientId,
        USCIS_CLIENT_SECRET: secrets.uscis.clientSecret,
        USCIS_RATE_PER_SECOND: String(OPEN_LIMITS.rate_per_second),
        // Twenty requests a second: intervals shrink until the quota is used.
        USCIS_DAILY_BUDGET: '1728000',
        // Under load the clocks of the stand-in and the monitor differ by milliseconds.
        USCIS_PACE_MARGIN: '0.2',
        // The shortest interval becomes 0.25 s, six hours 3.0 s, 30 days 6 min.
        MONITOR_INTERVAL_SCALE: '0.000138',
      };
    case 'notifier':
      return {
        PUBLIC_URL: addresses.gateway_url,
        SMTP_URL: `smtp://${HOST}:${ports.smtp}`,
        MAIL_FROM: 'Casewatch <no-reply@casewatch.example>',
        TWILIO_ACCOUNT_SID: secrets.twilio.accountSid,
        TWILIO_AUTH_TOKEN: secrets.twilio.authToken,
        MAIL_CALLBACK_RESEND_SECRET: secrets.resendSecret,
        TWILIO_FROM: 'whatsapp:+12025550100',
        TWILIO_API_BASE_URL: addresses.twilio_url,
        TWILIO_CONTENT_SIDS: JSON.stringify({ status_update: CONTENT_SIDS }),
        NOTIFY_DIGEST_WINDOW_S: '0',
        NOTIFY_RECIPIENT_CAP: '0',
        // A notification of a killed notifier is sent again after twice this time.
        NOTIFY_SEND_TIMEOUT_MS: '6000',
        NOTIFIER_ENCRYPTION_KEY: secrets.notifierEncryptionKey,
        NOTIFIER_HMAC_KEY: secrets.notifierHmacKey,
      };
    case 'webhooks':
      return {
        WEBHOOKS_ENCRYPTION_KEY: secrets.webhooksEncryptionKey,
        // The first retry (5 s, or 60 s after a time-out) comes within 7.2 s.
        WEBHOOKS_RETRY_SCALE: '0.1',
        WEBHOOKS_ALLOW_LOOPBACK: 'true',
        CURSOR_KEY: secrets.cursorKeys.webhooks,
      };
  }
}

/** The stand-in accepts any id of this form. */
const CONTENT_SIDS = {
  en: 'HX00000000000000000000000000000001',
  es: 'HX00000000000000000000000000000002',
  pt: 'HX00000000000000000000000000000003',
};

export function settingsOfSandbox(
  { ports, secrets }: SettingsSource,
  { sandbox: dataDir, logs: logsDir }: Pick<DataDir, 'sandbox' | 'logs'>,
): Settings {
  return {
    NODE_ENV: 'development',
    SANDBOX_HOST: HOST,
    MAIL_PORT: String(ports.mail),
    SMTP_PORT: String(ports.smtp),
    USCIS_PORT: String(ports.uscis),
    TWILIO_PORT: String(ports.twilio),
    RECEIVER_PORT: String(ports.receiver),
    TRACES_PORT: String(ports.traces),
    LOGS_DIR: logsDir,
    SANDBOX_DATA: dataDir,
    // DELETE /sandbox restores these limits.
    USCIS_RATE_PER_SECOND: String(OPEN_LIMITS.rate_per_second),
    USCIS_DAILY_QUOTA: String(OPEN_LIMITS.daily_quota),
    USCIS_CLIENT_ID: secrets.uscis.clientId,
    USCIS_CLIENT_SECRET: secrets.uscis.clientSecret,
    TWILIO_ACCOUNT_SID: secrets.twilio.accountSid,
    TWILIO_AUTH_TOKEN: secrets.twilio.authToken,
    RESEND_SECRET: secrets.resendSecret,
  };
}

function jwks(key: object): string {
  return JSON.stringify({ keys: [key] });
}
