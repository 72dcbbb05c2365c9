import type { WebhookEventType } from '@casewatch/contracts';
import type { Position } from '@casewatch/platform';
import { databaseTime, settledBefore } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { typesOf } from '../domain/event-filter.ts';
import { deliveryIdOf } from '../store/deliveries.ts';
import type { ReplayState } from '../store/delivery-replays.ts';
import { type EventPlace, positionOf } from '../store/event-lists.ts';
import type { TaskRow } from '../store/tasks.ts';
import type { WebhookRow } from '../store/webhooks.ts';

const maxQueued = 50_000;
const maxScan = 1_000;

/** `place` null: nothing was read. `isLast`: nothing is left before `until`. */
type Batch = { ids: string[]; place: Position | null; isLast: boolean };

/**
 * Queues the next deliveries of a replay. An endpoint has at most one second's worth of due deliveries from a replay,
 * so new events do not wait long behind them.
 */
export async function replayBatch(ctx: Context, task: TaskRow): Promise<void> {
  const [webhook] = await ctx.stores.webhooks.findAll([task.webhook_id]);
  const now = await databaseTime(ctx.db);
  if (!webhook) return await ctx.stores.tasks.advance(task, {}, { status: 'cancelled', finished_at: now });
  const backlog = Math.min(webhook.rate_limit, maxScan);
  const due = await ctx.stores.replays.countDue(webhook._id, now, backlog);
  const room = Math.min(backlog - due, maxQueued - task.queued);
  if (room <= 0) return;
  const before = new Date(Math.min(task.until.getTime(), settledBefore(now).getTime()));
  const queue = task.selection === 'failed' ? queueFailed : queueEvents;
  const batch = await queue(ctx, task, { webhook, before, now, room });
  await storeBatch(ctx, task, { ...batch, isLast: batch.isLast && before >= task.until, now });
}

async function storeBatch(
  ctx: Context,
  task: TaskRow,
  { ids, place, isLast, now }: Batch & { now: Date },
): Promise<void> {
  if (place === null && !isLast) return;
  const queued = task.queued + (await ctx.stores.replays.countQueued(task._id, ids));
  const limit_reached = queued >= maxQueued && !isLast;
  const end = { status: 'completed' as const, finished_at: now };
  const batch = { position: place ?? task.position, queued, limit_reached };
  await ctx.stores.tasks.advance(task, batch, isLast || limit_reached ? end : undefined);
}

type Part = { webhook: WebhookRow; before: Date; now: Date; room: number };

async function queueFailed(ctx: Context, task: TaskRow, { webhook, before, room }: Part): Promise<Batch> {
  const places = await ctx.stores.replays.failedAfter({
    webhookId: webhook._id,
    types: typesOf(task.events),
    since: task.since,
    until: before,
    after: startOf(task),
    limit: room,
  });
  const ids = places.map(({ _id }) => _id);
  await ctx.stores.replays.queueAgain(task._id, ids);
  const last = places.at(-1);
  const place: Position | null = last ? [last._id, last.created_at.getTime()] : null;
  return { ids, place, isLast: places.length < room };
}

async function queueEvents(
  ctx: Context,
  task: TaskRow,
  { webhook, before, now, room }: Part,
): Promise<Batch> {
  const places = await ctx.stores.eventLists.places({
    partnerId: webhook.partner_id,
    since: task.since,
    before,
    direction: 1,
    after: startOf(task),
    limit: maxScan,
  });
  const types = typesOf(task.events).filter((type) => typesOf(webhook.events).includes(type));
  const { handled, missing, again } = await choose(ctx, task, { places, types, room });
  await ctx.stores.replays.queueAgain(task._id, again);
  const rows = missing.map(({ _id, type, user_id }) => ({ event_id: _id, event: type, user_id }));
  await ctx.stores.replays.insertMissing(task._id, webhook._id, rows, now);
  const last = handled.at(-1);
  const ids = handled.map(({ _id }) => deliveryIdOf(_id, task.webhook_id));
  const isLast = handled.length === places.length && places.length < maxScan;
  return { ids, place: last ? positionOf(last) : null, isLast };
}

type Candidates = { places: EventPlace[]; types: WebhookEventType[]; room: number };

/** Up to `room` deliveries, and the events that were handled for them. */
async function choose(ctx: Context, task: TaskRow, { places, types, room }: Candidates) {
  const matching = places.filter(({ type }) => types.includes(type));
  const ids = matching.map(({ _id }) => deliveryIdOf(_id, task.webhook_id));
  const states = new Map((await ctx.stores.replays.statesOf(ids)).map((state) => [state._id, state]));
  const handled: EventPlace[] = [];
  const missing: EventPlace[] = [];
  const again: string[] = [];
  for (const place of places) {
    if (missing.length + again.length >= room) break;
    handled.push(place);
    if (!types.includes(place.type)) continue;
    const state = states.get(deliveryIdOf(place._id, task.webhook_id));
    if (!state) missing.push(place);
    else if (task.selection === 'all' && hasBeenTried(state)) again.push(state._id);
  }
  return { handled, missing, again };
}

/** A delivery without an attempt is waiting already. */
function hasBeenTried({ status, reason, attempt_count }: ReplayState): boolean {
  if (status === 'cancelled') return reason === 'endpoint_gone';
  return status === 'delivered' || status === 'failed' || (status === 'pending' && attempt_count > 0);
}

function startOf({ position, since }: TaskRow): Position {
  return position ?? ['', since.getTime()];
}
