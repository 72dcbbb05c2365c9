import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { caseSummary, monitoring } from '../resources/case.ts';
import { channel, latestUpdate, notifyStatus, respondBy } from '../resources/status-update.ts';
import { user } from '../resources/user.ts';

/** Grows with each change of the object; a receiver ignores a lower version. */
const version = z.int().min(1);

export const eventCase = caseSummary.extend({ user_id: id });
export const versionedCase = eventCase.extend({ version });
/**
 * With the day for an answer, the firm's matter number (interface.md §3), and who works on it: the id alone, because a delivery
 * outlives the name of a member.
 */
export const changedCaseOfPartner = versionedCase.extend({
  assignee_id: id.nullable(),
  reference: z.string().max(64).nullable(),
  respond_by: respondBy.nullable(),
});
export const deletedCase = z.strictObject({
  id,
  user_case_id: caseSummary.shape.user_case_id,
  user_id: id,
  version,
});

/** As the interface shows it, without the state of notifications. */
export const eventStatusUpdate = latestUpdate.extend({ observation: z.int().min(1) });

export const eventMonitoring = monitoring.extend({ since: isoTime, revision: z.int().min(1) });

export const versionedUser = user.extend({ version });
export const deletedUser = z.strictObject({ id, version });

/** The result of one channel of one status update. */
export const eventNotification = z.strictObject({
  status_update_id: id,
  case_id: id,
  user_id: id,
  channel,
  revision: z.int().min(1),
  status: notifyStatus,
  attempts: z.int().min(0),
  last_error: z.string().max(300).nullable(),
  sent_at: isoTime.nullable(),
});
