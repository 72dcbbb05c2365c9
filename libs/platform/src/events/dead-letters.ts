import { deadLetterStreamOf, type ServiceName } from '@casewatch/contracts';
import { type JsMsg, jetstream } from '@nats-io/jetstream';
import { ZodError } from 'zod';
import type { Bus } from '../bus/bus.ts';
import { contextHeaders } from '../bus/context.ts';
import { messageKey } from './event-failures.ts';

/** What a dead letter says in its headers; its body is the event as it was published. */
export const deadLetterHeaders = {
  type: 'x-original-subject',
  id: 'x-original-id',
  kind: 'x-kind',
  reason: 'x-reason',
  tries: 'x-tries',
} as const;

const longestReason = 500;

type Failure = { kind: string; reason: string; tries: number };

/**
 * Stores a copy of an event that cannot be handled, before the event itself is given up.
 * @throws the error of NATS if the stream has not acknowledged the copy
 */
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
    // One copy, also if the end of the event is lost and it comes again.
    msgID: messageKey(message),
    timeout: 2_000,
  });
}

/** Behind a dot stands what tells a repetition by the relay from the first time. */
function eventIdOf({ headers }: JsMsg): string {
  return headers?.get(deadLetterHeaders.id) || headers?.get('Nats-Msg-Id').split('.')[0] || '';
}

/** The type of an event: its subject, or that of the dead letter of which it is a replay. */
export function originalSubject(message: JsMsg): string {
  // Only the operators' user may publish there; on other subjects a header says nothing.
  return message.subject.startsWith('replay.')
    ? (message.headers?.get(deadLetterHeaders.type) ?? '')
    : message.subject;
}

/** The failure as an operator reads it: names and places, never a value that a person could be known by. */
export function reasonOf(error: unknown): string {
  return describe(error)
    .replaceAll(/[\r\n]+/g, ' ')
    .slice(0, longestReason);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error instanceof ZodError) return `${error.name}: ${placesOf(error)}`;
  // MongoDB's sentence of a duplicate key quotes the key.
  if (error.name.startsWith('Mongo'))
    return 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
  return `${error.name}: ${error.message}`;
}

/** Where a value breaks a schema, without the value. */
export function placesOf({ issues }: ZodError): string {
  return issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join(', ');
}
