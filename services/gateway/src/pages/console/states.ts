import type {
  DeliveryReason,
  DeliveryStatus,
  MonitoringState,
  NamedReviewer,
  NotifyStatus,
  UserStatus,
} from '@casewatch/contracts';
import type { Markup } from '@casewatch/platform';
import { pill, type Tone } from '../parts/blocks.ts';

const monitoring: Readonly<Record<MonitoringState, [Tone, string]>> = {
  watched: ['good', 'Monitored'],
  not_found: ['warn', 'Not found at USCIS'],
  rejected: ['bad', 'Rejected by USCIS'],
  paused: ['idle', 'Paused'],
  overdue: ['warn', 'Check overdue'],
};

/** Who did something for the firm, also who has no access any more. */
export function reviewerName({ kind, id, name }: NamedReviewer): string {
  return name ?? `${kind === 'staff' ? 'Member' : 'API key'} ${id}`;
}

export function monitoringPill(state: MonitoringState): Markup {
  return pill(...monitoring[state]);
}

export function monitoringText(state: MonitoringState): string {
  return monitoring[state][1];
}

const notify: Readonly<Record<NotifyStatus, [Tone, string]>> = {
  pending: ['info', 'Waiting'],
  sending: ['info', 'Sending'],
  sent: ['good', 'Sent'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
  skipped: ['idle', 'Not sent'],
};

export function notifyPill(status: NotifyStatus): Markup {
  return pill(...notify[status]);
}

const categories: Readonly<Record<string, Tone>> = {
  approved: 'good',
  card: 'good',
  denied: 'bad',
  rejected: 'bad',
  evidence: 'warn',
  fee: 'warn',
  interview: 'info',
  biometrics: 'info',
  oath: 'info',
  decision: 'info',
};

/** The colour of a status, by its category (docs/glossary.md, status table). */
export function categoryTone(category: string): Tone {
  return categories[category] ?? 'idle';
}

/** Why a message was not sent (notifier.md, What the interface's fields mean). */
const reasons: Readonly<Record<string, string>> = {
  baseline: 'The first status of a new case notifies no one.',
  channel_disabled: 'The user turned this channel off.',
  no_address: 'The user has no address for this channel.',
  invalid_phone: 'The phone number is not valid.',
  no_whatsapp_consent: 'The user has not agreed to WhatsApp messages.',
  email_unverified: 'The e-mail address is not verified.',
  user_inactive: 'The user is not active.',
  user_deleted: 'The user was deleted.',
  case_inactive: 'The case is paused.',
  suppressed_hard_bounce: 'Not reachable: an earlier message came back.',
  suppressed_complaint: 'The user marked an earlier e-mail as spam.',
  suppressed_unsubscribed: 'The user unsubscribed.',
  suppressed_opt_out: 'The user opted out.',
  no_content_change: 'Only details changed, not the status.',
  flap: 'The status returned within a day.',
  stale: 'The change was older than 72 hours.',
  channel_not_configured: 'This channel is not set up.',
  template_unavailable: 'The message template is not available.',
};

/** `code: text` of a notification, as a sentence. */
export function reasonOf(lastError: string | null): string | null {
  if (lastError === null) return null;
  const [code = '', ...text] = lastError.split(':');
  return reasons[code] ?? sentence(text.join(':').trim(), code);
}

/** The words of a provider, and its code, which its documentation explains. */
function sentence(text: string, code: string): string {
  return text === ''
    ? `${code}.`
    : `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')} (${code}).`;
}

const users: Readonly<Record<UserStatus, [Tone, string]>> = {
  active: ['good', 'Active'],
  inactive: ['idle', 'Inactive'],
  suspended: ['bad', 'Suspended'],
};

export function userPill(status: UserStatus): Markup {
  return pill(...users[status]);
}

const deliveries: Readonly<Record<DeliveryStatus, [Tone, string]>> = {
  pending: ['info', 'Waiting'],
  sending: ['info', 'Sending'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
  cancelled: ['idle', 'Cancelled'],
};

export function deliveryPill(status: DeliveryStatus): Markup {
  return pill(...deliveries[status]);
}

const deliveryReasons: Readonly<Record<DeliveryReason, string>> = {
  endpoint_gone: 'the endpoint answered 410',
  endpoint_deleted: 'the endpoint was deleted',
  user_deleted: 'the user was deleted',
  endpoint_disabled: 'the endpoint is disabled',
  endpoint_inactive: 'the endpoint is not active',
  partner_suspended: 'the account is suspended',
};

/** Why a delivery is cancelled, or waits without a next attempt; null without a reason. */
export function deliveryReason(reason: DeliveryReason | null): string | null {
  return reason && deliveryReasons[reason];
}
