import { z } from 'zod';
import { isoTime } from '../fields.ts';
import { caseImport } from '../resources/import.ts';
import { historyEntry } from '../resources/status-update.ts';
import { type WebhookEventType, webhook } from '../resources/webhook.ts';
import * as examples from './examples.ts';
import {
  changedCaseOfPartner,
  deletedCase,
  deletedUser,
  eventCase,
  eventMonitoring,
  eventNotification,
  eventStatusUpdate,
  versionedCase,
  versionedUser,
} from './objects.ts';

const ofCase = z.strictObject({ case: versionedCase });
const ofUser = z.strictObject({ user: versionedUser });
const ofNotification = z.strictObject({ notification: eventNotification });
const ofWebhook = z.strictObject({ webhook });

/** Each event that an endpoint can receive: its description, the schema of `data`, and an example of `data` (webhooks.md, Events). */
export const webhookEvents = {
  'case.created': event('A case was created.', ofCase, { case: examples.newCase }),
  'case.updated': event(
    'A caller changed a case, or its user changed in a way that starts or stops its monitoring.',
    z.strictObject({ case: changedCaseOfPartner }),
    { case: { ...examples.changedCase, assignee_id: 7, reference: '2024-118', respond_by: null } },
  ),
  'case.deleted': event('A case was deleted.', z.strictObject({ case: deletedCase }), {
    case: examples.deletedCase,
  }),
  'case.status_updated': event(
    'USCIS shows another status for a case. The first status of a new case sends no event.',
    z.strictObject({
      case: eventCase,
      status_update: eventStatusUpdate,
      previous_status_code: z.string().nullable(),
      new_history: z.array(historyEntry),
    }),
    {
      case: examples.approvedCase,
      status_update: examples.statusUpdate,
      previous_status_code: 'Case Was Received',
      new_history: examples.statusUpdate.history,
    },
  ),
  'case.monitoring_changed': event(
    'The monitoring state of a case changed, for example because USCIS no longer knows the receipt number.',
    z.strictObject({ case: versionedCase, monitoring: eventMonitoring }),
    { case: examples.changedCase, monitoring: examples.monitoring },
  ),
  'case.check_overdue': event(
    'A case was not checked in time, for example because USCIS does not answer.',
    z.strictObject({ case: versionedCase, last_checked: isoTime.nullable(), since: isoTime }),
    { case: examples.changedCase, last_checked: examples.lastChecked, since: examples.occurredAt },
  ),
  'user.created': event('A user was created.', ofUser, { user: examples.newUser }),
  'user.updated': event('A user was changed.', ofUser, { user: examples.changedUser }),
  'user.email_verified': event('A user verified the e-mail address.', ofUser, { user: examples.changedUser }),
  'user.deleted': event(
    'A user was deleted, with all cases and personal data.',
    z.strictObject({ user: deletedUser }),
    { user: examples.deletedUser },
  ),
  'notification.sent': event('An e-mail or a message to a user was sent.', ofNotification, {
    notification: examples.sentNotification,
  }),
  'notification.failed': event('An e-mail or a message to a user could not be sent.', ofNotification, {
    notification: examples.failedNotification,
  }),
  'import.finished': event(
    'An import of cases, or its dry run, is done or was cancelled. Nothing of it changes any more.',
    z.strictObject({ import: caseImport }),
    { import: examples.finishedImport },
  ),
  'webhook.ping': event(
    'A test that you requested. `data` contains the endpoint that receives the test.',
    ofWebhook,
    { webhook: examples.endpoint },
  ),
  'webhook.disabled': event(
    'An endpoint was disabled because it failed. Your other endpoints receive this event.',
    ofWebhook,
    { webhook: examples.disabledEndpoint },
  ),
} satisfies Record<WebhookEventType, WebhookEventRow>;

type WebhookEventRow = {
  readonly description: string;
  readonly data: z.ZodObject;
  readonly example: object;
};

export type WebhookEvents = typeof webhookEvents;
export type WebhookEventData<T extends WebhookEventType> = z.input<WebhookEvents[T]['data']>;

function event<D extends z.ZodObject>(description: string, data: D, example: z.input<D>) {
  return { description, data, example };
}
