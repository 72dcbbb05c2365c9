import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream';

/** The first message of a subject from this sequence on; null if there is none. */
export async function messageFrom(
  manager: JetStreamManager,
  { stream, subject, seq }: { stream: string; subject: string; seq: number },
): Promise<StoredMsg | null> {
  // The server accepts both fields; the library's type has only `seq`.
  const query = { seq, next_by_subj: subject };
  return await manager.streams.getMessage(stream, query);
}

export async function* messagesOf(
  manager: JetStreamManager,
  source: { stream: string; subject: string },
): AsyncGenerator<StoredMsg> {
  for (let seq = 1; ; ) {
    const message = await messageFrom(manager, { ...source, seq });
    if (!message) return;
    yield message;
    seq = message.seq + 1;
  }
}
