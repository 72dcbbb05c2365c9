import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';

const count = z.int().min(0);
const seconds = z.number().min(0);

export const stateRequest = z.object({});

/**
 * `stalled_seconds`: time for which the consumer has had events and no replica has finished one. `outcomes`: events that the
 * answering replica has handled since its start.
 */
const consumer = z.object({
  name: z.string(),
  pending: count,
  stalled_seconds: seconds.default(0),
  outcomes: z.array(z.object({ outcome: z.string(), count })),
});

/** What an operator sees of every service with a database. Null: NATS or MongoDB did not answer in time. */
export const serviceState = z.object({
  as_of: isoTime,
  /** Start of the replica that answers. */
  started_at: isoTime,
  /** `waiting` counts at most 10,000 events. */
  outbox: z.object({ waiting: count, oldest_seconds: seconds, refused: count }).nullable(),
  consumers: z.array(consumer).nullable(),
  dead_letters: count.nullable(),
});

const quantiles = z.object({ p50_seconds: seconds, p95_seconds: seconds });

export const monitorState = serviceState.extend({
  breaker: z.enum(['closed', 'open']).register(unknownValues, { readAs: 'open' }),
  next_probe_at: isoTime.nullable(),
  /** Part of the rate that is used, 0 to 1. */
  pace: z.number(),
  /** USCIS says that our quota is spent, whatever our own count is. */
  quota_spent: z.boolean().default(false),
  lanes: z.array(z.object({ lane: z.string(), used: count, left: count })),
  /** The last sentence of USCIS for each result of a check. */
  refusals: z.array(z.object({ result: z.string(), message: z.string(), at: isoTime })),
  /** The last answer about a receipt; null: none yet. A monitor of the release before does not say it. */
  answered_at: isoTime.nullable().optional(),
  held_receipts: count,
  unknown_titles: count,
  /** Time between the modified date of a new status and its detection: the last changes that the sender has seen. */
  detection_delay: quantiles.extend({ changes: count }).nullable(),
});

export const notifierState = serviceState.extend({
  /**
   * A queue is a channel or `mails`. `due` and `oldest_seconds`: messages whose next attempt is due. `unsent`: messages that
   * should have been sent by now, whatever was tried meanwhile.
   */
  queues: z.array(
    z.object({
      queue: z.string(),
      due: count,
      oldest_seconds: seconds,
      unsent: count.default(0),
      oldest_unsent_seconds: seconds.default(0),
    }),
  ),
  /** Messages of the last 24 hours. `code`: error of the failed ones. */
  messages: z.array(z.object({ queue: z.string(), status: z.string(), code: z.string().nullable(), count })),
  /** Open circuits of the answering replica. */
  circuits: z.array(z.object({ scope: z.string(), remaining_seconds: seconds })),
  /** Templates with a SID. Null: WhatsApp is off, or the templates are not compared yet. */
  templates: z
    .array(
      z.object({ template: z.string(), language: z.string(), is_ready: z.boolean(), finding: z.string() }),
    )
    .nullable(),
});

export const webhooksState = serviceState.extend({
  failing: count,
  disabled: count,
  oldest_overdue_seconds: seconds,
  /** The endpoints that fail for the longest time. */
  failing_endpoints: z.array(
    z.object({
      id,
      partner_id: id,
      host: z.string(),
      failing_since: isoTime,
      failures: count,
      error: z.string().nullable(),
    }),
  ),
});

export type ServiceState = z.infer<typeof serviceState>;
