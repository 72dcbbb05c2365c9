import type { Body, Fault } from '@casewatch/contracts';
import { ApiError, acted, faultsError } from '@casewatch/platform';
import { isDuplicateKey, type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { TaskRow } from '../store/tasks.ts';

/** As long as events are stored, ms. */
const longestMs = 30 * 24 * 60 * 60 * 1_000;

/** A replay of the stored events that `body` selects. @throws ApiError: a period that is not possible */
export async function newReplay(
  ctx: Pick<Context, 'clock' | 'ids'>,
  webhookId: number,
  body: Body<'replay_events'>,
): Promise<TaskRow> {
  const now = ctx.clock.now();
  const { since, events = [], status } = body;
  const until = body.until && body.until < now ? body.until : now;
  checkPeriod(since, until, now);
  return {
    _id: await ctx.ids.next('tasks'),
    webhook_id: webhookId,
    status: 'running',
    selection: status,
    events: [...new Set(events)],
    since,
    until,
    position: null,
    batches: 0,
    queued: 0,
    limit_reached: false,
    created_at: now,
    finished_at: null,
  };
}

/** `alsoWrites`: in the same transaction. @throws ApiError replay_in_progress: an endpoint has one replay at a time */
export async function storeReplay(
  ctx: Pick<Context, 'db' | 'stores'>,
  row: TaskRow,
  alsoWrites: (session: Session) => Promise<unknown> = async () => undefined,
): Promise<void> {
  try {
    await transaction(ctx.db, async (session) => {
      await ctx.stores.tasks.insert(session, row);
      acted('replay', row._id);
      await alsoWrites(session);
    });
  } catch (error) {
    if (isDuplicateKey(error, 'webhook_id')) throw new ApiError('replay_in_progress', { retryAfterS: 60 });
    throw error;
  }
}

function checkPeriod(since: Date, until: Date, now: Date): void {
  const fault = (message: string): Fault => ({ in: 'body', pointer: '#/since', code: 'too_old', message });
  if (since.getTime() < now.getTime() - longestMs)
    throw faultsError([fault('must be within the last 30 days')]);
  const message = until < now ? 'must be before until' : 'must be in the past';
  if (since >= until) throw faultsError([{ ...fault(message), code: 'invalid_value' }]);
}
