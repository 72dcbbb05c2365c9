import { z } from 'zod';
import { limits, SANDBOX_LIMITS } from './uscis/limits.ts';

const port = z.coerce.number().int().min(0).max(65_535).default(0);

/** Settings of the sandbox; port 0 takes a free port. The default keys protect nothing. */
export const settings = z.strictObject({
  host: z.string().min(1).default('127.0.0.1'),
  mailPort: port,
  smtpPort: port,
  /** Sign-in of mail clients; without it a mail is accepted too. */
  smtpUser: z.string().min(1).default('sandbox'),
  smtpPassword: z.string().min(1).default('sandbox-password'),
  /** SMTP offers STARTTLS with a certificate of an own authority. */
  smtpStartTls: z.boolean().default(false),
  uscisPort: port,
  twilioPort: port,
  receiverPort: port,
  receiverTlsPort: port,
  tracesPort: port,
  /** Folder of the services' logs, for the search of the trace viewer. */
  logsDir: z.string().min(1).optional(),
  /** Folder of the government's journal; default: memory only. */
  dataDir: z.string().min(1).optional(),
  uscisClientId: z.string().min(1).default('sandbox-client'),
  uscisClientSecret: z.string().min(1).default('sandbox-secret-for-development-only'),
  /** Limits after the first start and after `DELETE /sandbox`. */
  uscisLimits: limits.default(SANDBOX_LIMITS),
  twilioAccountSid: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, 'must be AC and 32 hexadecimal digits')
    .default('AC00000000000000000000000000000000'),
  /** Signs the reports of the mail stand-in; default: a new one. */
  resendSecret: z.string().startsWith('whsec_').optional(),
  twilioAuthToken: z.string().min(1).default('sandbox-token-for-development-only'),
});

export type SandboxOptions = z.input<typeof settings>;
