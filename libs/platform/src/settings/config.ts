import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { hideCredentials, hideSecret, withoutSecrets } from '../telemetry/secrets.ts';
import { tracingSettings } from '../telemetry/tracing-settings.ts';
import { mongoSettings, natsSettings, transportSetting } from './connection-settings.ts';
import {
  asSecret,
  inProduction,
  notDemo,
  notInProduction,
  productionFaults,
  relatedFaults,
  ruleOf,
} from './setting-rules.ts';
import { serverTlsSettings } from './tls-settings.ts';

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One for each setting: `NAME: what is wrong`, without its value. */
  readonly faults: readonly string[];

  constructor(message: string, faults: readonly string[] = []) {
    super(message);
    this.faults = faults;
  }
}

/** The error of a start with wrong settings. */
export function settingsError(faults: readonly string[]): ConfigError {
  const shown = faults.map(withoutSecrets);
  return new ConfigError(`These settings are missing or wrong:\n  ${shown.join('\n  ')}`, shown);
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** `NAME_FILE` names a file with the value. An empty value counts as not set. @throws ConfigError with every fault */
export function readConfig<S extends z.ZodObject>(schema: S, env: Environment): z.output<S> {
  const faults: string[] = [];
  const values: Record<string, string> = {};
  for (const key of Object.keys(schema.shape)) {
    const value = readSetting(key, env, faults);
    if (value === undefined || value === '') continue;
    values[key] = value;
    if (ruleOf(schema.shape[key]).isSecret) hideSecret(value);
    else hideCredentials(value);
  }
  const unreadable = [...faults];
  // It has its fault: it is not missing, too.
  const isUnreadable = (key: string) =>
    unreadable.some((fault) => /^\w+?(?=(_FILE)?:)/.exec(fault)?.[0] === key);
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    for (const { code, path, message } of parsed.error.issues) {
      const key = String(path[0]);
      if (code === 'custom' || key in values) faults.push(`${path.join('.')}: ${message}`);
      else if (!isUnreadable(key)) faults.push(`${key}: is not set`);
    }
  }
  faults.push(...relatedFaults(schema, values, isUnreadable));
  if (isProduction(schema, values)) faults.push(...productionFaults(schema, values));
  if (faults.length > 0 || !parsed.success) {
    throw settingsError(faults);
  }
  return parsed.data;
}

/** Without NODE_ENV the rules of production apply. */
function isProduction(schema: z.ZodObject, { NODE_ENV }: Readonly<Record<string, string>>): boolean {
  return 'NODE_ENV' in schema.shape && (NODE_ENV ?? 'production') === 'production';
}

function readSetting(key: string, env: Environment, faults: string[]): string | undefined {
  const file = env[`${key}_FILE`];
  if (file === undefined || file === '') return env[key];
  if (env[key]) {
    faults.push(`${key}: set either ${key} or ${key}_FILE, not both`);
    return undefined;
  }
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    faults.push(`${key}_FILE: cannot read the file (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    return undefined;
  }
}

export function integerSetting(min: number, max: number) {
  return z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be from ${min} to ${max}`);
}

export function numberSetting(min: number, max: number) {
  return z
    .string()
    .transform(Number)
    .refine((n) => Number.isFinite(n) && n >= min && n <= max, `must be a number from ${min} to ${max}`);
}

export const booleanSetting = z.enum(['true', 'false']).transform((text) => text === 'true');

export const secretSetting = asSecret(z.string().min(32, 'must have at least 32 characters'));

export function jsonSetting<S extends z.ZodType>(schema: S) {
  return z
    .string()
    .transform((text, ctx) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        ctx.addIssue({ code: 'custom', message: 'must be JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** Read by the process itself (process/run.ts). */
export const drainSettings = z.object({
  DRAIN_MS: integerSetting(0, 60_000)
    .default(0)
    .describe(
      'Time after SIGTERM during which the service still accepts requests while it closes its connections, ms. Use 5000 in a cluster',
    ),
});

export const baseSettings = {
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('production')
    .describe('Environment: `production` refuses demo values and unencrypted connections'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest level of log messages'),
  HOST: z.string().default('0.0.0.0').describe('Network address to listen on'),
  PORT: integerSetting(0, 65_535).describe('Port to listen on; 0: any free port'),
  METRICS_PORT: integerSetting(0, 65_535)
    .optional()
    .describe('Port of `/metrics` (Prometheus text), for example 9464; without it there are no metrics'),
  ...tracingSettings,
  TRANSPORT_SECURITY: transportSetting,
  ...natsSettings,
  ...drainSettings.shape,
};

export const storeSettings = {
  ...mongoSettings,
  EVENTS_RETRY_SCALE: notInProduction(numberSetting(0.000_1, 1), (text) => Number(text) === 1)
    .default(1)
    .describe(
      'Factor on the waits between the tries of a failed event, and on the 24 hours after which it is dead; below 1 in development and tests',
    ),
};

const publicJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
});

export const publicJwks = z.object({ keys: z.array(publicJwk).min(1) });

export const privateJwk = publicJwk.extend({ d: z.string() });

export const principalSettings = {
  PRINCIPAL_JWKS: inProduction(jsonSetting(publicJwks), notDemo).describe(
    'Public keys of the gateway, which verify the signed caller of each request (JWKS)',
  ),
  ...serverTlsSettings,
};

export type PublicJwks = z.infer<typeof publicJwks>;
export type PrivateJwk = z.infer<typeof privateJwk>;
