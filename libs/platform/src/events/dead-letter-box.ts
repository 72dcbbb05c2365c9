import { consumersOf, deadLetterStreamOf, type ServiceName, serviceNames } from '@casewatch/contracts';
import { jetstream, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { messageFrom, messagesOf } from '../streams/messages.ts';
import { deadLetterHeaders } from './dead-letters.ts';

/** An event that a service could not handle, as it stands in the service's stream of dead letters. */
export type DeadLetter = {
  service: ServiceName;
  /** Its number in that stream, by which the commands name it. */
  seq: number;
  /** The event's type and id. */
  type: string;
  id: string;
  /** `poison`, `failed` or `not yet`, and the sentence of the last error. */
  kind: string;
  reason: string;
  /** How often the event failed in this way. */
  tries: number;
  at: Date;
  /** The event, as it was published. */
  body: string;
};

/** The services that consume events, and so may have dead letters. */
export const servicesWithDeadLetters = serviceNames.filter((service) => consumersOf(service).length > 0);

/** The operator's hands on dead letters, as the NATS user `streams`. */
export type DeadLetterBox = {
  /** The oldest first. */
  list(service: ServiceName): Promise<DeadLetter[]>;
  find(service: ServiceName, seq: number): Promise<DeadLetter | null>;
  /** Hands the event to its service again, and to no other; it is no dead letter any more. */
  replay(letter: DeadLetter): Promise<void>;
  discard(letter: DeadLetter): Promise<void>;
};

export async function openDeadLetterBox(connection: NatsConnection): Promise<DeadLetterBox> {
  const manager = await jetstreamManager(connection, { timeout: 5_000, checkAPI: false });
  const box: DeadLetterBox = {
    async list(service) {
      const letters: DeadLetter[] = [];
      for await (const stored of messagesOf(manager, placeOf(service)))
        letters.push(toLetter(service, stored));
      return letters;
    },
    async find(service, seq) {
      const stored = await messageFrom(manager, { ...placeOf(service), seq });
      return stored?.seq === seq ? toLetter(service, stored) : null;
    },
    async replay(letter) {
      const hdrs = headers();
      hdrs.set(deadLetterHeaders.type, letter.type);
      hdrs.set(deadLetterHeaders.id, letter.id);
      const { name, replaySubject } = deadLetterStreamOf(letter.service);
      // Replayed once, also if the command is broken off between the two steps and run again.
      const msgID = `replay/${name}/${letter.seq}/${letter.at.getTime()}`;
      await jetstream(connection).publish(replaySubject, letter.body, { headers: hdrs, msgID });
      await box.discard(letter);
    },
    async discard({ service, seq }) {
      await manager.streams.deleteMessage(deadLetterStreamOf(service).name, seq, false);
    },
  };
  return box;
}

function placeOf(service: ServiceName) {
  const { name: stream, subject } = deadLetterStreamOf(service);
  return { stream, subject };
}

function toLetter(service: ServiceName, stored: StoredMsg): DeadLetter {
  const header = (name: keyof typeof deadLetterHeaders) => stored.header.get(deadLetterHeaders[name]);
  return {
    service,
    seq: stored.seq,
    type: header('type'),
    id: header('id'),
    kind: header('kind'),
    reason: header('reason'),
    tries: Number(header('tries')),
    at: stored.time,
    body: stored.string(),
  };
}
