import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { webhookEventFilter } from './webhook.ts';

/** Which events a replay sends again (webhooks.md, Operations). */
export const replaySelection = z.enum(['failed', 'missing', 'all']);

export const taskStatus = z.enum(['running', 'completed', 'cancelled']);

/** A replay in the background. */
export const replayTask = z.strictObject({
  id,
  webhook_id: id,
  status: taskStatus,
  selection: replaySelection,
  events: z.array(webhookEventFilter).max(20),
  since: isoTime,
  until: isoTime,
  progress: z.number().min(0).max(1),
  processed_until: isoTime.nullable(),
  queued: z.int().min(0),
  limit_reached: z.boolean(),
  created_at: isoTime,
  finished_at: isoTime.nullable(),
});

export type ReplaySelection = z.infer<typeof replaySelection>;
export type ReplayTask = z.infer<typeof replayTask>;
export type TaskStatus = z.infer<typeof taskStatus>;
