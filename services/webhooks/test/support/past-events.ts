import type { Connection } from '@casewatch/platform/database';

const minuteMs = 60_000;

/** Events of half an hour ago, as intake stored them. Returns their ids. */
export async function insertPastEvents(
  db: Connection,
  partnerId: number,
  count: number,
  type = 'user.deleted',
): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, i) => {
    const id = `evt_${partnerId}-${type.replace('.', '-')}-${i}`;
    const data = { user: { id: i + 1, version: 2 } };
    const body = JSON.stringify({ id, type, timestamp: new Date().toISOString(), data });
    const intake_at = new Date(Date.now() - 30 * minuteMs + i);
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    return { _id: id, partner_id: partnerId, user_id: null, type, body, traceparent, intake_at };
  });
  await db.collection<{ _id: string }>('events').insertMany(rows);
  return rows.map(({ _id }) => _id);
}

/** Deliveries of these events that failed, or ended in this state. */
export async function insertPastDeliveries(
  db: Connection,
  webhookId: number,
  ids: string[],
  state: object = {},
): Promise<void> {
  const attempt = { at: new Date(), status: 500, ms: 3, error: 'http_500', manual: false };
  const rows = ids.map((event_id, i) => ({
    ...{ _id: `${event_id}:${webhookId}`, event_id, event: 'user.deleted', webhook_id: webhookId },
    ...{ user_id: null, status: 'failed', attempt_count: 11, due_at: null, claim: null },
    attempts: [{ ...attempt, location: null, response: null }],
    created_at: new Date(Date.now() - 30 * minuteMs + i),
    ...state,
  }));
  await db.collection<{ _id: string }>('deliveries').insertMany(rows);
}
