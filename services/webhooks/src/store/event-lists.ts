import type { WebhookEventData } from '@casewatch/contracts';
import type { Position } from '@casewatch/platform';
import type { Connection } from '@casewatch/platform/database';
import { type EventRow, events } from './events.ts';

type EventRange = {
  partnerId: number;
  /** Only events about this user, by the index of the user. */
  userId?: number | undefined;
  since: Date;
  before: Date;
  direction: 1 | -1;
  after: Position;
  limit: number;
};

export type EventPlace = Pick<EventRow, '_id' | 'type' | 'user_id' | 'intake_at'>;

export function createEventListStore(db: Connection) {
  const model = events(db);
  return {
    async places({
      partnerId,
      userId,
      since,
      before,
      direction,
      after,
      limit,
    }: EventRange): Promise<EventPlace[]> {
      const [id, time] = [String(after[0]), new Date(after[1] ?? 0)];
      const isForward = direction === 1;
      const [beyond, to] = isForward ? (['$gt', '$gte'] as const) : (['$lt', '$lte'] as const);
      const position = { $or: [{ intake_at: { [beyond]: time } }, { _id: { [beyond]: id } }] };
      const ofUser = userId === undefined ? {} : { user_id: userId };
      const settled = { intake_at: { $gte: since, $lt: before } };
      return await model
        .find({ partner_id: partnerId, ...ofUser, intake_at: { [to]: time }, $and: [settled, position] })
        .sort({ intake_at: direction, _id: direction })
        .limit(limit)
        .select({ type: 1, user_id: 1, intake_at: 1 })
        .lean();
    },
    /** Status updates of all cases of a user, newest first, by the index of the user. */
    async statusUpdatesOf(
      userId: number,
      limit: number,
    ): Promise<{ _id: string; caseId: number; updateId: number }[]> {
      const rows = await model
        .find({ user_id: userId, type: 'case.status_updated' })
        .sort({ intake_at: -1 })
        .limit(limit)
        .select({ body: 1 })
        .lean();
      return rows.map(({ _id, body }) => {
        const { data } = JSON.parse(body) as { data: WebhookEventData<'case.status_updated'> };
        return { _id, caseId: data.case.id, updateId: data.status_update.id };
      });
    },
    /** In the order of the ids; without events that were erased. */
    async bodies(ids: string[]): Promise<string[]> {
      if (ids.length === 0) return [];
      const rows = await model
        .find({ _id: { $in: ids } })
        .select({ body: 1 })
        .lean();
      const bodies = new Map(rows.map(({ _id, body }) => [_id, body]));
      return ids.flatMap((id) => bodies.get(id) ?? []);
    },
  };
}

export function positionOf({ _id, intake_at }: EventPlace): Position {
  return [_id, intake_at.getTime()];
}
