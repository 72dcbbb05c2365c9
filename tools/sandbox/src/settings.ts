import { z } from 'zod';
import { limits, SANDBOX_LIMITS } from './uscis/limits.ts';

const port = z.coerce.number().int().min(0).max(65_535).default(0);

/** Settings of the sandbox; port 0 takes a free one. The keys as given are for demonstration: nothing real is behind them. */
export const settings = z.strictObject({
  host: z.string().min(1).default('127.0.0.1'),
  mailPort: port,
  smtpPort: port,
  uscisPort: port,
  twilioPort: port,
  receiverPort: port,
  /** Folder where the government stand-in keeps what it serves; memory only when left out. */
  dataDir: z.string().min(1).optional(),
  uscisClientId: z.string().min(1).default('sandbox-client'),
  uscisClientSecret: z.string().min(1).default('sandbox-secret-for-development-only'),
  /** What `DELETE /sandbox` and a first start set; the real sandbox's limits when left out. */
  uscisLimits: limits.default(SANDBOX_LIMITS),
  twilioAccountSid: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, 'must be AC and 32 hexadecimal digits')
    .default('AC00000000000000000000000000000000'),
  twilioAuthToken: z.string().min(1).default('sandbox-token-for-development-only'),
});

/** What a caller may set; everything has a default. */
export type SandboxOptions = z.input<typeof settings>;
