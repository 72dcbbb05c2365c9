import { deadLetterStreamOf, type ServiceName } from '@casewatch/contracts';
import { type JsMsg, jetstream } from '@nats-io/jetstream';
import { ZodError } from 'zod';
import type { Bus } from '../bus/bus.ts';
import { contextHeaders } from '../bus/context.ts';
import { messageKey } from './event-failures.ts';

export const deadLetterHeaders = {
  type: 'x-original-subject',
  id: 'x-original-id',
  kind: 'x-kind',
  reason: 'x-reason',
  tries: 'x-tries',
} as const;

const longestReason = 500;

type Failure = { kind: string; reason: string; tries: number };

/** @throws the error of NATS if the stream does not acknowledge the copy */
export async function storeDeadLetter(
  service: ServiceName,
  bus: Bus,
  message: JsMsg,
  { kind, reason, tries }: Failure,
): Promise<void> {
  const hdrs = contextHeaders();
  hdrs.set(deadLetterHeaders.type, originalSubject(message));
  hdrs.set(deadLetterHeaders.id, eventIdOf(message));
  hdrs.set(deadLetterHeaders.kind, kind);
  hdrs.set(deadLetterHeaders.reason, reason);
  hdrs.set(deadLetterHeaders.tries, String(tries));
  await jetstream(bus.connection).publish(deadLetterStreamOf(service).subject, message.data, {
    headers: hdrs,
    // One copy, even if the event is redelivered afterwards.
    msgID: messageKey(message),
    timeout: 2_000,
  });
}

function eventIdOf({ headers }: JsMsg): string {
  // The relay adds a dot and a suffix to the id when it publishes an event again.
  return headers?.get(deadLetterHeaders.id) || headers?.get('Nats-Msg-Id').split('.')[0] || '';
}

/** The type of an event; for a replay, that of the original event. */
export function originalSubject(message: JsMsg): string {
  // Only the operators' user may publish on replay subjects; elsewhere the header is not trusted.
  return message.subject.startsWith('replay.')
    ? (message.headers?.get(deadLetterHeaders.type) ?? '')
    : message.subject;
}

/** The error for operators, without values, which may be personal data. */
export function reasonOf(error: unknown): string {
  return describe(error)
    .replaceAll(/[\r\n]+/g, ' ')
    .slice(0, longestReason);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error instanceof ZodError) return `${error.name}: ${placesOf(error)}`;
  // MongoDB's message about a duplicate key has the key.
  if (error.name.startsWith('Mongo'))
    return 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
  return `${error.name}: ${error.message}`;
}

export function placesOf({ issues }: ZodError): string {
  return issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join(', ');
}
