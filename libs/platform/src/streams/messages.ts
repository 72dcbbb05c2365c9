import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream';

/** The first message of a subject with this sequence or a higher one; null behind the last one. */
export async function messageFrom(
  manager: JetStreamManager,
  { stream, subject, seq }: { stream: string; subject: string; seq: number },
): Promise<StoredMsg | null> {
  // The server takes both; the library's type knows the sequence alone.
  const query = { seq, next_by_subj: subject };
  return await manager.streams.getMessage(stream, query);
}

/** Every message of a subject that a stream holds, the oldest first. */
export async function* messagesOf(
  manager: JetStreamManager,
  at: { stream: string; subject: string },
): AsyncGenerator<StoredMsg> {
  for (let seq = 1; ; ) {
    const message = await messageFrom(manager, { ...at, seq });
    if (!message) return;
    yield message;
    seq = message.seq + 1;
  }
}
