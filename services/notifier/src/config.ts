import { isTimeZone, language } from '@casewatch/contracts';
import {
  addressSetting,
  asSecret,
  baseSettings,
  httpAddress,
  httpsInProduction,
  integerSetting,
  jsonSetting,
  keyRingSetting,
  notDemo,
  numberSetting,
  principalSettings,
  smtpFault,
  storeSettings,
} from '@casewatch/platform';
import { z } from 'zod';
import { quietHoursPattern } from './domain/quiet-hours.ts';
import { readTopic } from './domain/sns-message.ts';

const sids = z.partialRecord(language, z.string().regex(/^HX[0-9a-fA-F]{32}$/)).default({});
const contentSids = z.object({ status_update: sids, status_digest: sids, first_update: sids });

export const notifierConfig = z
  .object({
    ...baseSettings,
    ...storeSettings,
    ...principalSettings,
    PUBLIC_URL: httpsInProduction(httpAddress()).describe(
      'Public address of the gateway, the same as in identity. Callbacks and links in account e-mails begin with it',
    ),
    APP_URL: httpsInProduction(httpAddress())
      .optional()
      .describe(
        'Address where direct users see their cases; without it their messages lead to the pages of the gateway',
      ),
    SMTP_URL: asSecret(
      addressSetting(smtpFault),
      // With requireTLS nodemailer ends the connection where the server offers no STARTTLS.
      (text) =>
        /^smtps:|[?&]requireTLS=true(&|$)/.test(text)
          ? undefined
          : 'must be encrypted: smtps://, or smtp:// with ?requireTLS=true',
    ).describe('Address of the mail server, with user and password, percent-encoded, if it needs them'),
    MAIL_FROM: z
      .string()
      // An address, alone or as `Name <address>`.
      .regex(
        /^([^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
        'must be an address or Name <address>',
      )
      .describe('Sender of all e-mails; its domain is used in Message-IDs'),
    MAIL_DKIM_DOMAIN: z
      .string()
      .regex(/^[\w.-]+\.[\w-]+$/, 'must be a domain')
      .optional()
      .describe('Domain of the DKIM signature, that of MAIL_FROM; without it, only the mail server can sign'),
    MAIL_DKIM_SELECTOR: z
      .string()
      .regex(/^[\w.-]+$/, 'must be a DNS name')
      .optional()
      .describe(
        'Selector of the DKIM key: its public half is in the TXT record <selector>._domainkey.<domain>',
      ),
    MAIL_DKIM_KEY: asSecret(z.string().includes('PRIVATE KEY'), notDemo)
      .optional()
      .describe('Private key of the DKIM signature (PEM; RSA of 2048 bits or Ed25519)'),
    MAIL_CALLBACK_SENDGRID_KEY: z
      .base64()
      .optional()
      .describe('Public key of the SendGrid Event Webhook; without it callbacks of SendGrid are refused'),
    MAIL_CALLBACK_RESEND_SECRET: asSecret(
      z.string().regex(/^whsec_[A-Za-z0-9+/=]{24,}$/, 'must begin with whsec_'),
      notDemo,
    )
      .optional()
      .describe('Signing secret of the Resend webhook; without it callbacks of Resend are refused'),
    MAIL_CALLBACK_SES_TOPIC: z
      .string()
      .refine((arn) => readTopic(arn) !== null, 'must be the ARN of a standard topic of Amazon SNS')
      .optional()
      .describe(
        'ARN of the Amazon SNS topic with the bounces, complaints and deliveries of Amazon SES; without it callbacks of SES are refused',
      ),
    MAIL_CALLBACK_SES_ADDRESS: httpsInProduction(httpAddress())
      .optional()
      .describe('Address of Amazon SNS; set it only in tests. Default: the host of the region of the topic'),
    TWILIO_ACCOUNT_SID: z
      .string()
      .regex(/^AC[0-9a-fA-F]{32}$/)
      .optional()
      .describe(
        'SID of the Twilio account; WhatsApp is off unless TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM are set',
      ),
    TWILIO_AUTH_TOKEN: asSecret(z.string(), notDemo)
      .optional()
      .describe('Primary auth token of the Twilio account; Twilio also signs callbacks with it'),
    TWILIO_FROM: z
      .string()
      .regex(/^whatsapp:\+[1-9]\d{6,14}$/, 'must be whatsapp:+ and an E.164 number')
      .optional()
      .describe('WhatsApp number that messages are sent from'),
    TWILIO_API_BASE_URL: httpsInProduction(httpAddress())
      .optional()
      .describe('Address of the Twilio API; set it only in tests'),
    TWILIO_CONTENT_SIDS: jsonSetting(contentSids)
      .default({ status_update: {}, status_digest: {}, first_update: {} })
      .describe(
        'SIDs of the approved templates, as JSON: {"status_update": {"en": "HX…", "es": "HX…", "pt": "HX…"}, "status_digest": {…}, "first_update": {…}}. Without status_digest, each WhatsApp message is about one case; without first_update, a new number gets no Stop button',
      ),
    NOTIFY_DIGEST_WINDOW_S: integerSetting(0, 600)
      .default(120)
      .describe(
        'After a message, updates of the same user wait this time and become one message, s. Decisions, denials and requests for evidence do not wait. 0: each case gets its own message. After a mail to a member of a firm’s staff all waits this time, and becomes one mail',
      ),
    NOTIFY_RECIPIENT_CAP: integerSetting(0, 10_000)
      .default(20)
      .describe(
        'Maximum number of messages per user, channel and 24 hours; 0: no limit. Further messages wait for the next day. Decisions, denials and requests for evidence do not wait',
      ),
    NOTIFY_QUIET_HOURS: z
      .string()
      .regex(quietHoursPattern, 'must be like 21:00-08:00')
      .optional()
      .describe(
        'Hours in which WhatsApp messages and ordinary status mails wait, for example 21:00-08:00; without it there are none',
      ),
    NOTIFY_TIME_ZONE: z
      .string()
      .refine(isTimeZone, 'must be a time zone such as America/New_York')
      .default('America/New_York')
      .describe('Time zone of NOTIFY_QUIET_HOURS, for users whose partner has not set one'),
    NOTIFY_RETRY_SCALE: numberSetting(0.0001, 10)
      .default(1)
      .describe('Factor on all waits between attempts; below 1 in development and tests'),
    NOTIFY_SEND_TIMEOUT_MS: integerSetting(100, 30_000)
      .default(30_000)
      .describe(
        'Timeout of one submission to a provider, ms; at most 15,000 for Twilio. After twice this time another replica continues the work of a killed process',
      ),
    NOTIFY_UNANSWERED_MAILS: integerSetting(1, 16)
      .default(1)
      .describe(
        'Number of mails per process that may wait in parallel for the mail server’s final answer. A killed process may send each of them twice. A higher number sends more mails per second',
      ),
    NOTIFIER_ENCRYPTION_KEY: keyRingSetting.describe('Key that encrypts the content of queued e-mails'),
    NOTIFIER_HMAC_KEY: keyRingSetting.describe('Key that signs unsubscribe links'),
  })
  .refine(
    (settings) =>
      new Set(
        [settings.TWILIO_ACCOUNT_SID, settings.TWILIO_AUTH_TOKEN, settings.TWILIO_FROM].map(
          (value) => value === undefined,
        ),
      ).size === 1,
    {
      path: ['TWILIO_ACCOUNT_SID'],
      message: 'set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM, or none',
      // Reported together with the faults of other settings.
      when: () => true,
    },
  )
  .refine(
    (settings) =>
      new Set(
        [settings.MAIL_DKIM_DOMAIN, settings.MAIL_DKIM_SELECTOR, settings.MAIL_DKIM_KEY].map(
          (value) => value === undefined,
        ),
      ).size === 1,
    {
      path: ['MAIL_DKIM_DOMAIN'],
      message: 'set MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY, or none',
      when: () => true,
    },
  );

export type NotifierConfig = z.output<typeof notifierConfig>;
