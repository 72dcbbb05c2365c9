import { language } from '@casewatch/contracts';
import {
  asSecret,
  baseSettings,
  httpsInProduction,
  integerSetting,
  jsonSetting,
  keyRingSetting,
  notDemo,
  numberSetting,
  principalSettings,
  storeSettings,
} from '@casewatch/platform';
import { z } from 'zod';

/** An http address without trailing slash. */
const baseAddress = () =>
  httpsInProduction(z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')));

const contentSids = z.object({
  status_update: z.partialRecord(language, z.string().regex(/^HX[0-9a-fA-F]{32}$/)).default({}),
});

/** Every setting of the notifier; README.md shows them as a table. */
export const notifierConfig = z
  .object({
    ...baseSettings,
    ...storeSettings,
    ...principalSettings,
    PUBLIC_URL: baseAddress().describe(
      "The gateway's public address, the same as identity's: callbacks and links in account mails lead there",
    ),
    APP_URL: baseAddress()
      .optional()
      .describe('Where direct users see their cases; without it their mails have no link'),
    SMTP_URL: asSecret(
      z.string().regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// address'),
      // With requireTLS nodemailer ends the connection where the server offers no STARTTLS.
      (text) =>
        /^smtps:|[?&]requireTLS=true(&|$)/.test(text)
          ? undefined
          : 'must be encrypted: smtps://, or smtp:// with ?requireTLS=true',
    ).describe('Mail server, with user and password where it wants them'),
    MAIL_FROM: z
      .string()
      // An address, alone or as `Name <address>`.
      .regex(
        /^([^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
        'must be an address or Name <address>',
      )
      .describe('Sender of every mail; its domain names the Message-IDs'),
    TWILIO_ACCOUNT_SID: z
      .string()
      .regex(/^AC[0-9a-fA-F]{32}$/)
      .optional()
      .describe('Twilio account; WhatsApp is off without the three TWILIO_ settings'),
    TWILIO_AUTH_TOKEN: asSecret(z.string(), notDemo)
      .optional()
      .describe("The account's primary token, which also signs callbacks"),
    TWILIO_FROM: z
      .string()
      .regex(/^whatsapp:\+[1-9]\d{6,14}$/, 'must be whatsapp:+ and an E.164 number')
      .optional()
      .describe('WhatsApp sender'),
    TWILIO_API_BASE_URL: baseAddress().optional().describe("Another place for Twilio's API, for stand-ins"),
    TWILIO_CONTENT_SIDS: jsonSetting(contentSids)
      .default({ status_update: {} })
      .describe('Approved templates: JSON {"status_update": {"en": "HX…", "es": "HX…", "pt": "HX…"}}'),
    NOTIFY_DIGEST_WINDOW_S: integerSetting(0, 600)
      .default(120)
      .describe('Seconds within which further updates of a user become one digest; not in use yet'),
    NOTIFY_RECIPIENT_CAP: integerSetting(0, 10_000)
      .default(20)
      .describe('Messages to a user per day and channel; 0 is no limit'),
    NOTIFY_RETRY_SCALE: numberSetting(0.0001, 10)
      .default(1)
      .describe('Stretches every delay between attempts'),
    NOTIFY_SEND_TIMEOUT_MS: integerSetting(100, 30_000)
      .default(30_000)
      .describe(
        'Longest submission to a provider (ms); Twilio gets 15,000 at most. What a killed process was sending goes on after twice that',
      ),
    NOTIFIER_ENCRYPTION_KEY: keyRingSetting.describe('Encrypts mails that wait'),
    NOTIFIER_HMAC_KEY: keyRingSetting.describe('Signs unsubscribe links'),
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
      // Also where other settings are wrong: all faults at once.
      when: () => true,
    },
  );

export type NotifierConfig = z.output<typeof notifierConfig>;
