import { z } from 'zod';
import { describeIssues } from './http/read-request.ts';
import type { SandboxOptions } from './settings.ts';

const port = z.coerce.number().int().min(0).max(65_535);

const environment = z.object({
  SANDBOX_HOST: z.string().optional(),
  MAIL_PORT: port,
  SMTP_PORT: port,
  USCIS_PORT: port,
  TWILIO_PORT: port,
  RECEIVER_PORT: port,
  RECEIVER_TLS_PORT: port.default(0),
  TRACES_PORT: port.default(0),
  LOGS_DIR: z.string().optional(),
  SANDBOX_DATA: z.string().optional(),
  USCIS_CLIENT_ID: z.string(),
  USCIS_CLIENT_SECRET: z.string(),
  SANDBOX_RATE_PER_SECOND: z.coerce.number().positive().default(5),
  SANDBOX_DAILY_QUOTA: z.coerce.number().int().min(0).default(1000),
  TWILIO_ACCOUNT_SID: z.string().regex(/^AC[0-9a-fA-F]{32}$/, 'must be AC and 32 hexadecimal digits'),
  TWILIO_AUTH_TOKEN: z.string(),
  RESEND_SECRET: z.string().startsWith('whsec_').optional(),
});

/** The sandbox's options from the environment; an empty value counts as unset. @throws Error that names every fault */
export function readEnvironment(variables: NodeJS.ProcessEnv): SandboxOptions {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(set);
  if (!parsed.success) throw new Error(`The sandbox cannot start: ${describeIssues(parsed.error)}`);
  const env = parsed.data;
  return {
    host: env.SANDBOX_HOST,
    mailPort: env.MAIL_PORT,
    smtpPort: env.SMTP_PORT,
    uscisPort: env.USCIS_PORT,
    twilioPort: env.TWILIO_PORT,
    receiverPort: env.RECEIVER_PORT,
    receiverTlsPort: env.RECEIVER_TLS_PORT,
    tracesPort: env.TRACES_PORT,
    logsDir: env.LOGS_DIR,
    dataDir: env.SANDBOX_DATA,
    uscisClientId: env.USCIS_CLIENT_ID,
    uscisClientSecret: env.USCIS_CLIENT_SECRET,
    uscisLimits: {
      rate_per_second: env.SANDBOX_RATE_PER_SECOND,
      daily_quota: env.SANDBOX_DAILY_QUOTA,
      hours: null,
    },
    twilioAccountSid: env.TWILIO_ACCOUNT_SID,
    twilioAuthToken: env.TWILIO_AUTH_TOKEN,
    resendSecret: env.RESEND_SECRET,
  };
}
