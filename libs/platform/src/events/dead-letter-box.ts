import { consumersOf, deadLetterStreamOf, type ServiceName, serviceNames } from '@casewatch/contracts';
import { jetstream, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { messageFrom, messagesOf } from '../streams/messages.ts';
import { deadLetterHeaders } from './dead-letters.ts';

export type DeadLetter = {
  service: ServiceName;
  /** Sequence in that stream; the commands use it as the number of the dead letter. */
  seq: number;
  type: string;
  id: string;
  kind: string;
  /** The last error, without values. */
  reason: string;
  tries: number;
  at: Date;
  body: string;
};

export const servicesWithDeadLetters = serviceNames.filter((service) => consumersOf(service).length > 0);

export type DeadLetterBox = {
  list(service: ServiceName): Promise<DeadLetter[]>;
  find(service: ServiceName, seq: number): Promise<DeadLetter | null>;
  /** Sends the event to this service only, and deletes the dead letter. */
  replay(letter: DeadLetter): Promise<void>;
  discard(letter: DeadLetter): Promise<void>;
};

export async function openDeadLetterBox(connection: NatsConnection): Promise<DeadLetterBox> {
  const manager = await jetstreamManager(connection, { timeout: 5_000, checkAPI: false });
  const box: DeadLetterBox = {
    async list(service) {
      const letters: DeadLetter[] = [];
      for await (const stored of messagesOf(manager, sourceOf(service)))
        letters.push(toLetter(service, stored));
      return letters;
    },
    async find(service, seq) {
      const stored = await messageFrom(manager, { ...sourceOf(service), seq });
      return stored?.seq === seq ? toLetter(service, stored) : null;
    },
    async replay(letter) {
      const hdrs = headers();
      hdrs.set(deadLetterHeaders.type, letter.type);
      hdrs.set(deadLetterHeaders.id, letter.id);
      const { name, replaySubject } = deadLetterStreamOf(letter.service);
      // One replay, even if the command stops before the discard and runs again.
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

function sourceOf(service: ServiceName) {
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
