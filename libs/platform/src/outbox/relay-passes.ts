import { randomUUID } from 'node:crypto';
import type { streamsOf } from '@casewatch/contracts';
import { newRows, outboxModel } from './outbox.ts';
import type { Looks } from './relay-looks.ts';
import { type Marks, mark } from './relay-marks.ts';
import { type Publishing, publishRows } from './relay-publish.ts';
import { endRebuild, saveProgress, streamStates } from './relay-state.ts';

type Stream = ReturnType<typeof streamsOf>[number];

const batchSize = 256;

/** Publishes every new row. Refused rows do not block the rows behind them. Returns whether the stream refused one. */
export async function publishNew(publishing: Publishing, marks: Marks, looks: Looks): Promise<boolean> {
  let isRefused = false;
  const outbox = outboxModel(publishing.connection);
  for (let after = looks.begin(); !publishing.signal.aborted; ) {
    if (marks.isFull()) await marks.flush();
    const _id = { $gt: after, $nin: marks.waitingIds() };
    const rows = await outbox
      .find({ ...newRows, _id })
      .sort({ _id: 1 })
      .limit(batchSize)
      .lean();
    if (rows[0]) {
      looks.found(rows[0]._id);
      const publication = await publishRows(publishing, rows, ({ _id }) => _id);
      await marks.add(publication);
      isRefused ||= publication.refused.length > 0;
    }
    if (rows.length < batchSize) break;
    after = rows.at(-1)?._id ?? after;
  }
  return isRefused;
}

/** Returns how many refused events it found. */
export async function publishRefused(publishing: Publishing): Promise<number> {
  const outbox = outboxModel(publishing.connection);
  let found = 0;
  const refused = { refused_at: { $type: 'date' as const } };
  while (!publishing.signal.aborted) {
    const rows = await outbox.find(refused).sort({ refused_at: 1 }).limit(batchSize).lean();
    if (rows.length === 0) break;
    found += rows.length;
    const publication = await publishRows(publishing, rows, ({ _id, published_at }) =>
      published_at ? `${_id}.${randomUUID()}` : _id,
    );
    await mark(publishing, publication);
    if (publication.acked.length === 0) break;
  }
  return found;
}

/** Publishes one batch of a rebuild: of what a stream lost, or of a republish command. False if there is none. */
export async function republishBatch(publishing: Publishing, streams: readonly Stream[]): Promise<boolean> {
  const { connection, log } = publishing;
  for (const { name, subjects } of streams) {
    const { rebuild } = (await streamStates(connection).findById(name).lean()) ?? {};
    if (!rebuild) continue;
    const { token, since, until, after } = rebuild;
    const rows = await outboxModel(connection)
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(batchSize)
      .lean();
    const last = rows.at(-1);
    if (!last) {
      await endRebuild(connection, name, token);
      log.info({ stream: name, events: rebuild.events }, 'events published again');
      continue;
    }
    // Refused events have tries of their own.
    const due = rows.filter(
      ({ type, published_at, refused_at }) =>
        subjects.some((subject) => subject === type) &&
        !refused_at &&
        published_at !== null &&
        published_at >= since &&
        published_at < until,
    );
    const publication = await publishRows(publishing, due, ({ _id }) => `${_id}.${token}`);
    await mark(publishing, publication);
    // Only the unchanged position makes the next pass publish these rows again.
    if (publication.unanswered > 0) return false;
    await saveProgress(connection, name, { token, after: last._id, events: due.length });
    return true;
  }
  return false;
}
