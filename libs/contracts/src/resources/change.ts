import { z } from 'zod';
import { id, isoTime, partnerTime } from '../fields.ts';
import { changedCase, monitoringState } from './case.ts';
import { notifyStatus, partnerStatusUpdate } from './status-update.ts';
import { namedUser } from './user.ts';

/** Who marked a change as reviewed: an API key, or a member of staff. */
export const reviewer = z.strictObject({ kind: z.enum(['key', 'staff']), id });

/** A monitoring state that is urgent, in place of a status update. */
export const partnerChangedMonitoring = z.strictObject({ state: monitoringState, since: partnerTime });

const toldBy = z.strictObject({ status: notifyStatus, sent_at: partnerTime.nullable() });

/** Who was told of a change. `user`: the user of the case, as `status_update` says it; null for a state of monitoring, of which no user is told. */
export const told = z.strictObject({
  user: z.strictObject({ email: toldBy, whatsapp: toldBy }).nullable(),
});

/** An element of GET /v1/client/changes (firm.md §3). Either `status_update` or `monitoring` is set. */
export const partnerChange = z.strictObject({
  id,
  at: partnerTime,
  case: changedCase,
  /** Null for a key without the scope `users:read`. */
  user: namedUser.nullable(),
  status_update: partnerStatusUpdate.nullable(),
  previous_status_code: z.string().nullable(),
  monitoring: partnerChangedMonitoring.nullable(),
  urgent: z.boolean(),
  /** The first status of a case that asks for an answer: nobody was told of it as news. */
  already_open: z.boolean(),
  told,
  reviewed_at: partnerTime.nullable(),
  reviewed_by: reviewer.nullable(),
});

/** What a review says of a change. */
export const reviewedChange = z.strictObject({
  id,
  reviewed_at: isoTime.nullable(),
  reviewed_by: reviewer.nullable(),
});

export type Reviewer = z.infer<typeof reviewer>;
export type PartnerChange = z.infer<typeof partnerChange>;
