import type { EventType } from '../events/registry.ts';

/** When the event is published. */
export const eventDescriptions: Readonly<Record<EventType, string>> = {
  'user.created': 'A user was created.',
  'user.updated': 'A user’s details, channels or status changed.',
  'user.email_verified': 'A user confirmed an e-mail address.',
  'user.deleted': 'A user was deleted. Each consumer erases what it stores about the user.',
  'erasure.recorded':
    'A user was erased. The id is kept for 400 days, so that a restored backup erases the user again.',
  'partner.updated': 'A partner’s profile or status changed.',
  'partner.deleted':
    'A partner was erased, after its people and its staff. Each consumer erases what it still stores about the partner.',
  'staff.changed': 'A member of a partner’s staff was invited, accepted the invitation, or was changed.',
  'staff.deleted':
    'A member of a partner’s staff was removed. Each consumer deletes what waits for the member.',
  'identity.audited': 'Calls of operations of identity, for the records of who did what.',
  'cases.audited': 'Calls of operations of cases, for the records of who did what.',
  'notifier.audited': 'Calls of operations of notifier, for the records of who did what.',
  'webhooks.audited': 'Calls of operations of webhooks, for the records of who did what.',
  'revocations.announced': 'Tokens or keys were revoked. Gateways forget what they cached about them.',
  'case.created': 'A case was created. The monitor starts to watch its receipt.',
  'case.updated': 'A case, or its user, was paused, resumed or changed.',
  'case.deleted': 'A case was deleted.',
  'import.finished': 'An import of cases, or its dry run, ended. The event has the counts of its rows.',
  'status.updated':
    'The status of a case changed at USCIS. The event has the words of USCIS in each language.',
  'status.touched':
    'USCIS moved the modified date of a receipt and changed nothing else. The latest status updates of its cases get the new time.',
  'status.monitoring_changed': 'The monitor started, stopped or rejected the checks of a case.',
  'status.check_overdue': 'A case had no successful check for too long, or was checked again after that.',
  'status.checked': 'Receipts were checked. It only refreshes the time of the last check.',
  'monitor.audited':
    'Commands of operators that change a limit of a partner, for the records of who did what.',
  'notification.updated': 'A message to a user was sent, delivered or refused.',
  'contact.opted_out':
    'A person refused messages on a channel: by a reply, a complaint or a provider’s report.',
  'webhook.disabled': 'An endpoint was disabled, because it kept failing or answered 410.',
  'alert.updated': 'A mail to a member of staff about a change was planned, sent, refused or left out.',
  'staff.opted_out': 'A member of staff turned the own mails off with the link in one of them.',
  'gateway.counted': 'Requests that a gateway counted, for limits that span all gateways.',
};
