import type { ReplaySelection, TaskStatus, WebhookEventFilter } from '@casewatch/contracts';
import type { Position } from '@casewatch/platform';
import { type Connection, collection, type Session } from '@casewatch/platform/database';

export type TaskRow = {
  _id: number;
  webhook_id: number;
  status: TaskStatus;
  selection: ReplaySelection;
  events: WebhookEventFilter[];
  since: Date;
  until: Date;
  /** Id and time of the last event or delivery that was handled. */
  position: Position | null;
  /** Batches so far; a batch of another replica changes it. */
  batches: number;
  queued: number;
  limit_reached: boolean;
  created_at: Date;
  finished_at: Date | null;
};

const keepSeconds = 30 * 24 * 60 * 60;

const tasks = collection<TaskRow>('tasks', Number, [
  {
    name: 'running',
    keys: { webhook_id: 1 },
    unique: true,
    partialFilterExpression: { status: 'running' },
  },
  { name: 'expiry', keys: { created_at: 1 }, expireAfterSeconds: keepSeconds },
]);

type Batch = Partial<Pick<TaskRow, 'position' | 'queued' | 'limit_reached'>>;
type End = { status: TaskStatus; finished_at: Date };

export function createTaskStore(db: Connection) {
  const model = tasks(db);

  async function find(
    webhookId: number,
    id: number,
    session: Session | null = null,
  ): Promise<TaskRow | null> {
    return await model.findOne({ _id: id, webhook_id: webhookId }).session(session).lean();
  }

  return {
    find,
    /** @throws the driver's duplicate key error `running` if the endpoint has a running replay */
    async insert(session: Session, row: TaskRow) {
      await model.insertMany([row], { session });
    },
    async removeAll(webhookId: number) {
      await model.deleteMany({ webhook_id: webhookId });
    },
    async running(): Promise<TaskRow[]> {
      return await model.find({ webhook_id: { $gt: 0 }, status: 'running' }).lean();
    },
    /** Stores a batch, and the end after the last one. No effect after a cancellation or a batch of another replica. */
    async advance({ _id, batches }: TaskRow, batch: Batch, end?: End) {
      const { modifiedCount } = await model.updateOne(
        { _id, batches, status: 'running' },
        { $set: { ...batch, ...end }, $inc: { batches: 1 } },
      );
      if (modifiedCount === 1) return;
      // It was cancelled while the batch was queued: these deliveries are sent, and counted.
      await model.updateOne({ _id, batches, status: 'cancelled' }, { $set: batch, $inc: { batches: 1 } });
    },
    /** Returns the task as it is then; a task that has ended does not change. */
    async cancel(session: Session, webhookId: number, { id, at }: { id: number; at: Date }) {
      const { modifiedCount } = await model.updateOne(
        { _id: id, webhook_id: webhookId, status: 'running' },
        { $set: { status: 'cancelled', finished_at: at } },
        { session },
      );
      return { isCancelled: modifiedCount === 1, task: await find(webhookId, id, session) };
    },
  };
}
