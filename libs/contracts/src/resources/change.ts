import { z } from 'zod';
import { id, isoTime, partnerTime } from '../fields.ts';
import { changedCase, monitoringState, namedReviewer, reviewer } from './case.ts';
import { maxAssignees } from './staff.ts';
import { alertStatus, notifyStatus, partnerStatusUpdate, respondBy } from './status-update.ts';
import { namedUser } from './user.ts';

/** A monitoring state that is urgent, in place of a status update. */
export const partnerChangedMonitoring = z.strictObject({ state: monitoringState, since: partnerTime });

const toldBy = z.strictObject({ status: notifyStatus, sent_at: partnerTime.nullable() });

/** A member of staff to whom a change was mailed, or is about to be. `name` null: identity knows none. `sent_at`: when the mail provider accepted it. */
export const toldMember = z.strictObject({
  staff_id: id,
  name: z.string().max(120).nullable(),
  status: alertStatus,
  sent_at: partnerTime.nullable(),
});

/**
 * Who was told of a change. `user`: the user of the case, as `status_update` says it; null for a state of monitoring, of which no
 * user is told. `staff`: the members who are told immediately.
 */
export const told = z.strictObject({
  user: z.strictObject({ email: toldBy, whatsapp: toldBy }).nullable(),
  staff: z.array(toldMember).max(maxAssignees),
});

/** Of one status update, where a case is read. */
export const toldOfUpdate = z.strictObject({
  status_update_id: id,
  staff: z.array(toldMember).max(maxAssignees),
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
  /** That of the status update. */
  respond_by: respondBy.nullable(),
  /** The first status of a case that asks for an answer: nobody was told of it as news. */
  already_open: z.boolean(),
  told,
  reviewed_at: partnerTime.nullable(),
  reviewed_by: namedReviewer.nullable(),
});

/** What a review says of a change. */
export const reviewedChange = z.strictObject({
  id,
  reviewed_at: isoTime.nullable(),
  reviewed_by: reviewer.nullable(),
});

export type ToldMember = z.infer<typeof toldMember>;
export type PartnerChange = z.infer<typeof partnerChange>;
