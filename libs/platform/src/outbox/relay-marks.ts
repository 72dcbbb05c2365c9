import type { Connection } from '../store/mongo.ts';
import { type OutboxRow, outboxModel } from './outbox.ts';
import type { Acked, Publication, Publishing } from './relay-publish.ts';
import { createdOf, requestRebuild, saveSequence, streamStates } from './relay-state.ts';
import { checkForLoss, sinceSequence } from './stream-loss.ts';

export type Marks = ReturnType<typeof createMarks>;

/** How long a published row waits for its mark, ms: one write marks all rows of this time. */
const markMs = 200;
/** At this number of waiting rows the next batch waits for their marks. */
const maxWaiting = 64;

/** Marks published rows together. A relay that dies before a mark publishes the row again, with the same id. */
export function createMarks(publishing: Publishing) {
  const { log, signal } = publishing;
  const waiting = new Map<string, Acked>();
  /** Highest sequence of a waiting row by stream. */
  const lastSeqs = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let marking: Promise<void> = Promise.resolve();

  async function markWaiting(): Promise<void> {
    const acked = [...waiting.values()];
    if (acked.length === 0 || signal.aborted) return;
    await mark(publishing, { acked, refused: [] });
    for (const { row } of acked) waiting.delete(row._id);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    marking = marking.catch(() => undefined).then(markWaiting);
    await marking;
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) => {
        log.warn({ err: error }, 'relay: published events not marked; trying again');
        schedule();
      });
    }, markMs);
  }

  return {
    /** Ids of rows that are published and not marked yet. */
    waitingIds: () => [...waiting.keys()],
    isFull: () => waiting.size >= maxWaiting,
    async add({ acked, refused }: Publication): Promise<void> {
      const seqs = seqsByStream(acked);
      // A stream that lost its end: the sequences before the loss are saved first, so that the others show it.
      if ([...seqs].some(([stream, { first }]) => first <= (lastSeqs.get(stream) ?? 0))) await flush();
      for (const attempt of acked) waiting.set(attempt.row._id, attempt);
      for (const [stream, { last }] of seqs) lastSeqs.set(stream, last);
      if (waiting.size > 0) schedule();
      if (refused.length > 0) await mark(publishing, { acked: [], refused });
    },
    /** @throws the database's error; the rows then wait for the next flush */
    flush,
  };
}

type Marked = { acked: Acked[]; refused: OutboxRow[] };

/**
 * Marks rows as published or refused. The rows that wait for a mark come first, by `flush`. Rows that an unknown stream took
 * stay new: the stream may be lost by now, and only a known stream shows that. The next pass publishes them with the same ids.
 */
export async function mark(publishing: Publishing, { acked, refused }: Marked): Promise<void> {
  const unknown = await saveSequences(publishing, acked);
  const published = acked.filter(({ ack }) => !unknown.has(ack.stream));
  await markRows(publishing.connection, published, refused);
}

function seqsByStream(acked: readonly Acked[]): Map<string, { first: number; last: number }> {
  const seqs = new Map<string, { first: number; last: number }>();
  for (const { ack } of acked) {
    if (ack.duplicate) continue;
    const { first, last } = seqs.get(ack.stream) ?? { first: ack.seq, last: ack.seq };
    seqs.set(ack.stream, { first: Math.min(first, ack.seq), last: Math.max(last, ack.seq) });
  }
  return seqs;
}

/**
 * Saves sequences before rows are marked. In the other order a crash in between would hide a lost end of the stream.
 * Returns the streams that had no saved state; now they have one.
 */
async function saveSequences(publishing: Publishing, acked: Acked[]): Promise<ReadonlySet<string>> {
  const { connection, manager, log } = publishing;
  const unknown = new Set<string>();
  for (const [stream, { first, last }] of seqsByStream(acked)) {
    if (await saveSequence(connection, stream, { first, last })) continue;
    const state = await streamStates(connection).findById(stream).lean();
    if (state?.seq === undefined) {
      await checkForLoss(publishing, stream, state ?? undefined);
      unknown.add(stream);
      continue;
    }
    log.warn(
      { stream, seq: first },
      'stream was recreated or truncated; republishing lost events from the outbox',
    );
    const { created } = await manager.streams.info(stream);
    const since = created === createdOf(state) ? sinceSequence(state, first - 1) : new Date(0);
    await requestRebuild(connection, { _id: stream, since, stream: { created, seq: last } });
  }
  return unknown;
}

async function markRows(connection: Connection, acked: Acked[], refused: OutboxRow[]): Promise<void> {
  const model = outboxModel(connection);
  const unmarked = acked.flatMap(({ row }) => (!row.published_at || row.refused_at ? [row._id] : []));
  if (unmarked.length > 0) {
    const published_at = { $ifNull: ['$published_at', '$$NOW'] };
    const change = [{ $set: { published_at } }, { $unset: ['refused_at', 'refusals'] }];
    await model.updateMany({ _id: { $in: unmarked } }, change, { updatePipeline: true });
  }
  if (refused.length > 0) {
    const refusals = { $add: [{ $ifNull: ['$refusals', 0] }, 1] };
    const change = [{ $set: { refused_at: '$$NOW', refusals } }];
    const _id = { $in: refused.map(({ _id }) => _id) };
    await model.updateMany({ _id }, change, { updatePipeline: true });
  }
}
