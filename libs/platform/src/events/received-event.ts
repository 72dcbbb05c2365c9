import { type Envelope, envelope } from '@casewatch/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import { type MsgHdrs, headers as newHeaders } from '@nats-io/transport-node';
import type { ZodError } from 'zod';
import { PoisonError } from '../errors.ts';
import { networkHeader } from '../telemetry/logger.ts';

/** Where a stream has an event. `at`: when the stream stored it, which tells it from an event of a former stream. */
export type Place = { stream: string; at: Date; seq: number };

/** An event as it came from its stream, or as its row has it. */
export type ReceivedEvent = {
  /** Its own id. Without a readable envelope: its place. */
  readonly key: string;
  /** The subject of its message: only the owner of the type may publish there. */
  readonly type: string;
  /** What it is about, for example `case/123`; null without a readable envelope. */
  readonly about: string | null;
  /** The person whom its data concerns, so that an erasure finds its row. */
  readonly userId: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly place: Place;
  /** Null: `fault` says why. */
  readonly envelope: Envelope | null;
  readonly fault: PoisonError | null;
};

type Raw = Pick<ReceivedEvent, 'type' | 'headers' | 'body' | 'place'>;

/** The headers that anything reads: the context of a call, and the id of the publication. */
const keptHeaders = ['x-request-id', 'traceparent', networkHeader, 'Nats-Msg-Id'];
const longestHeader = 200;

export function readMessage(message: JsMsg): ReceivedEvent {
  const { stream, timestampNanos } = message.info;
  const kept = keptHeaders.map((name) => [name, message.headers?.get(name).slice(0, longestHeader) ?? '']);
  return readEvent({
    type: message.subject,
    headers: Object.fromEntries(kept.filter(([, value]) => value !== '')),
    body: message.string(),
    place: { stream, at: new Date(timestampNanos / 1e6), seq: message.seq },
  });
}

export function readEvent(raw: Raw): ReceivedEvent {
  const json = jsonOf(raw.body);
  const common = { ...raw, userId: userIdOf(json, raw.body) };
  const read = parse(raw.type, json);
  // The id of an envelope with a fault may be that of another event, whose row it would take.
  if (read instanceof PoisonError)
    return { ...common, key: keyOf(raw.place), about: null, envelope: null, fault: read };
  return { ...common, key: read.id, about: read.subject, envelope: read, fault: null };
}

/** Headers of a row, as a message has them. */
export function headersOf(kept: Readonly<Record<string, string>>): MsgHdrs {
  const hdrs = newHeaders();
  for (const [name, value] of Object.entries(kept)) hdrs.set(name, value);
  return hdrs;
}

/** Paths and codes of faults, without values, which may be personal data. */
export function placesOf({ issues }: ZodError): string {
  return issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join(', ');
}

function keyOf({ stream, at, seq }: Place): string {
  return `${stream}/${at.getTime()}/${seq}`;
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function parse(type: string, json: unknown): Envelope | PoisonError {
  if (json === undefined) return new PoisonError('the event is not JSON');
  const read = envelope.safeParse(json);
  if (!read.success) return new PoisonError(`the event breaks its schema (${placesOf(read.error)})`);
  // NATS rights protect the subject, so the envelope may not claim another type.
  if (read.data.type !== type) return new PoisonError(`the envelope has the type ${read.data.type}`);
  return read.data;
}

/** Events name their person in `data.user_id` or in `data.case.user_id`. */
function userIdOf(json: unknown, body: string): number | null {
  const { data } = (json ?? {}) as {
    data?: { user_id?: unknown; case?: { user_id?: unknown } | null } | null;
  };
  const found =
    json === undefined
      ? Number(/"user_id"\s*:\s*(\d{1,15})/.exec(body)?.[1])
      : (data?.user_id ?? data?.case?.user_id);
  return Number.isSafeInteger(found) ? (found as number) : null;
}
