import { withoutSecrets } from './secrets.ts';

/** Fields whose values are never logged. */
const secretNames = new Set([
  'authorization',
  'password',
  'secret',
  'token',
  'code',
  'email',
  'phone',
  'receipt_number',
  'link',
  'to',
]);

/** The fields of a log line, without secrets and personal data at any depth. */
export function maskFields(fields: Record<string, unknown>): Record<string, unknown> {
  const masked: Record<string, unknown> = {};
  for (const name of Object.keys(fields))
    masked[name] = secretNames.has(name) ? '[redacted]' : maskValue(fields[name]);
  return masked;
}

function maskValue(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecrets(value);
  if (Array.isArray(value)) return value.map(maskValue);
  const isPlain =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? maskFields(value as Record<string, unknown>) : value;
}

/**
 * Type, message, stack and code of an error and its causes. Other fields of an error can hold whole documents: those of
 * MongoDB have `writeErrors` and `keyValue`.
 */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return maskValue(error);
  const chain = causesOf(error);
  const code = chain.map((cause) => (cause as { code?: unknown }).code).find((value) => value !== undefined);
  return {
    type: error.name,
    message: withoutSecrets(chain.map((cause) => withoutKeys(cause.message)).join(': ')),
    stack: withoutSecrets(chain.map((cause) => withoutKeys(cause.stack ?? '')).join('\ncaused by: ')),
    ...(code !== undefined && { code }),
  };
}

function causesOf(error: Error): Error[] {
  const chain: Error[] = [];
  for (let cause: unknown = error; cause instanceof Error && !chain.includes(cause); cause = cause.cause)
    chain.push(cause);
  return chain;
}

/** MongoDB's message of a duplicate ends with the values of the key. */
function withoutKeys(text: string): string {
  return text.replaceAll(/dup key: \{.*\}/g, 'dup key: [redacted]');
}
