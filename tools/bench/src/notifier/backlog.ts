import { waitFor } from '@casewatch/testing';
import { end } from '../kit/processes.ts';
import type { startWorld } from './world.ts';

type Row = { _id: string; user_id: number; case_id: number; status_update_id: number };

const chunk = 5_000;

/** Stores so many due notifications: copies of one that the notifier itself stored, each of another user and case. */
export async function fillBacklog(
  world: Awaited<ReturnType<typeof startWorld>>,
  messages: number,
): Promise<void> {
  const rows = world.db.collection<Row>('notifications');
  const service = await world.startNotifier();
  await world.publish(1, 1);
  await waitFor(() => rows.findOne({ _id: '1:email', status: 'sent' }));
  await end(service);
  const sent = await rows.findOne({ _id: '1:email' });
  if (!sent) throw new Error('the notifier stored no row');
  const due = {
    ...sent,
    status: 'pending',
    attempts: 0,
    revision: 0,
    fence: 0,
    sent_at: null,
    lease_until: null,
    attempt_started_at: null,
    provider_rank: 0,
    next_attempt_at: new Date(),
    observed_at: new Date(),
  };
  for (let from = 2; from < messages + 2; from += chunk) {
    const ids = Array.from({ length: Math.min(chunk, messages + 2 - from) }, (_, i) => from + i);
    await rows.insertMany(
      ids.map((id) => ({ ...due, _id: `${id}:email`, user_id: id, case_id: id, status_update_id: id })),
    );
  }
}

/** Settles all waiting rows but so many in the store, as the notifier does, to save time. Returns their number. */
export async function settleMiddle(
  { db }: Awaited<ReturnType<typeof startWorld>>,
  kept: number,
): Promise<number> {
  const rows = db.collection<Row>('notifications');
  const waiting = await rows
    .find({ channel: 'email', status: 'pending' })
    .project<{ _id: string }>({ _id: 1 })
    .sort({ status_update_id: 1 })
    .toArray();
  const ids = waiting.slice(0, Math.max(0, waiting.length - kept)).map(({ _id }) => _id);
  const settled = { status: 'sent', next_attempt_at: null, attempts: 1, sent_at: new Date() };
  let count = 0;
  for (let from = 0; from < ids.length; from += chunk) {
    const filter = { _id: { $in: ids.slice(from, from + chunk) }, status: 'pending' };
    count += (await rows.updateMany(filter, { $set: settled })).modifiedCount;
  }
  return count;
}
