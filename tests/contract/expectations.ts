import type { OperationName } from '@casewatch/contracts';
import { both, open, partners, persons, type Statuses } from './expected-statuses.ts';

/** What the requests of the matrix are about: objects of user A (partner P's) and of partner P. */
export type World = {
  userA: number;
  userB: number;
  receipt: string;
  caseOfA: number;
  webhookOfP: number;
  staffOfP: number;
};

type Sample = { path: string; body?: unknown; form?: string };
type Expectation = { request: (world: World) => Sample; status: Statuses };

const newUser = () => ({
  email: `matrix.${Math.random().toString(36).slice(2)}@example.com`,
  name: 'Matrix Person',
});
const newCase = ({ receipt }: World) => ({ receipt_number: receipt, uscis_access_acknowledged: true });
const noToken = { token: 'not-a-token' };

/**
 * The exact status of every operation for every kind of caller. Requests are ones that their owner's would succeed
 * or meet a state that is theirs (409 for the case that is there already), so that 404 for others says what it must.
 */
export const expectations: Partial<Record<OperationName, Expectation>> = {
  request_login_code: { request: () => ({ path: '/v1/auth/login-code', body: {} }), status: open(400) },
  verify_login_code: {
    request: () => ({ path: '/v1/auth/login-code/verify', body: {} }),
    status: open(400),
  },
  // With a fault, so that the callers' sessions go on in the matrix.
  log_out: {
    request: () => ({ path: '/v1/auth/logout', body: { all_sessions: 'no' } }),
    status: persons(400, 400),
  },
  undo_email_change_page: {
    request: () => ({ path: '/v1/users/undo-email-change?token=not-a-token' }),
    status: open(400),
  },
  undo_email_change: {
    request: () => ({ path: '/v1/users/undo-email-change', body: noToken }),
    status: open(400),
  },
  issue_token: { request: () => ({ path: '/v1/auth/token', body: {} }), status: open(400) },
  verify_email_link: {
    request: () => ({ path: '/v1/users/verify-email?token=not-a-token' }),
    status: open(400),
  },
  verify_email_button: {
    request: () => ({ path: '/v1/users/verify-email', body: noToken }),
    status: open(400),
  },
  renew_verification_link: {
    request: () => ({ path: '/v1/users/verify-email/new-link', body: noToken }),
    status: open(400),
  },
  twilio_callback: {
    request: () => ({ path: '/v1/callbacks/twilio', form: 'MessageSid=SM1&MessageStatus=sent' }),
    status: open(403),
  },
  email_callback: {
    request: () => ({ path: '/v1/callbacks/email/sendgrid', body: {} }),
    status: open(403),
  },
  unsubscribe_page: { request: () => ({ path: '/v1/unsubscribe?token=not-a-token' }), status: open(400) },
  unsubscribe: {
    request: () => ({ path: '/v1/unsubscribe?token=not-a-token', form: 'List-Unsubscribe=One-Click' }),
    status: open(400),
  },
  staff_alerts_page: { request: () => ({ path: '/v1/alerts/off?token=not-a-token' }), status: open(400) },
  staff_alerts_off: {
    request: () => ({ path: '/v1/alerts/off?token=not-a-token', form: 'List-Unsubscribe=One-Click' }),
    status: open(400),
  },

  get_user: { request: ({ userA }) => ({ path: `/v1/users/${userA}` }), status: both(200) },
  update_user: {
    request: ({ userA }) => ({ path: `/v1/users/${userA}`, body: { name: 'Renamed' } }),
    status: both(200),
  },
  list_users: { request: () => ({ path: '/v1/users' }), status: { ...both(200, 200, 200) } },
  // Nobody is somebody who signs up: 202, and whoever sends credentials is held to them.
  create_user: {
    request: () => ({ path: '/v1/users', body: newUser() }),
    status: { ...partners(201, 201), nobody: 202 },
  },
  resend_verification: {
    request: () => ({ path: '/v1/users/resend-verification', body: { email: 'nobody.known@example.com' } }),
    status: { ...partners(404, 404), nobody: 200, userA: 400, userB: 400 },
  },
  list_partner_users: { request: () => ({ path: '/v1/client/users' }), status: partners(200, 200) },
  create_partner_user: {
    request: () => ({ path: '/v1/client/users', body: { ...newUser(), send_verification: false } }),
    status: partners(201, 201),
  },
  get_partner_user: {
    request: ({ userA }) => ({ path: `/v1/client/users/${userA}` }),
    status: partners(200, 404),
  },
  update_partner_user: {
    request: ({ userA }) => ({ path: `/v1/client/users/${userA}`, body: { name: 'Renamed' } }),
    status: partners(200, 404),
  },
  resend_partner_verification: {
    request: () => ({
      path: '/v1/client/users/resend-verification',
      body: { email: 'nobody.known@example.com' },
    }),
    status: partners(404, 404),
  },
  get_profile: { request: () => ({ path: '/v1/client/profile' }), status: partners(200, 200) },
  update_profile: {
    request: () => ({ path: '/v1/client/profile', body: { time_zone: 'UTC' } }),
    status: partners(200, 200),
  },
  update_logo: {
    request: () => ({ path: '/v1/client/logo', body: { logo_url: null } }),
    status: partners(200, 200),
  },
  // The caller without the other scopes has this one. Of keys that are not there, so that the callers' own go on.
  list_keys: {
    request: () => ({ path: '/v1/client/keys' }),
    status: { ...partners(200, 200), withoutScope: 200 },
  },
  create_key: {
    request: () => ({ path: '/v1/client/keys', body: { expires_at: '2020-01-01T00:00:00Z' } }),
    status: { ...partners(400, 400), withoutScope: 400 },
  },
  rotate_key: {
    request: () => ({ path: '/v1/client/keys/999999999/rotate', body: {} }),
    status: { ...partners(404, 404), withoutScope: 404 },
  },
  create_console_link: {
    request: () => ({ path: '/v1/client/console-links', body: { actor: '' } }),
    status: { ...partners(400, 400), withoutScope: 400 },
  },
  revoke_key: {
    request: () => ({ path: '/v1/client/keys/999999999' }),
    status: { ...partners(404, 404), withoutScope: 404 },
  },
  list_audit: { request: () => ({ path: '/v1/client/audit' }), status: partners(200, 200) },
  list_assignees: { request: () => ({ path: '/v1/client/assignees' }), status: partners(200, 200) },
  list_staff: { request: () => ({ path: '/v1/client/staff' }), status: partners(200, 200) },
  // With a role that does not exist, so that the matrix sends no mails.
  invite_staff_member: {
    request: () => ({ path: '/v1/client/staff', body: { ...newUser(), role: 'partner' } }),
    status: partners(400, 400),
  },
  get_staff_member: {
    request: ({ staffOfP }) => ({ path: `/v1/client/staff/${staffOfP}` }),
    status: partners(200, 404),
  },
  update_staff_member: {
    request: ({ staffOfP }) => ({ path: `/v1/client/staff/${staffOfP}`, body: { name: 'Renamed' } }),
    status: partners(200, 404),
  },
  // The member has none: the answer says so.
  reset_second_factor: {
    request: ({ staffOfP }) => ({ path: `/v1/client/staff/${staffOfP}/second-factor` }),
    status: partners(200, 404),
  },
  export_staff_member: {
    request: ({ staffOfP }) => ({ path: `/v1/client/staff/${staffOfP}/export` }),
    status: partners(200, 404),
  },
  // Of a member who is not there, so that the matrix can go on with the one who is.
  remove_staff_member: {
    request: () => ({ path: '/v1/client/staff/999999999' }),
    status: partners(404, 404),
  },

  create_partner_case: {
    request: (world) => ({ path: `/v1/client/users/${world.userA}/cases`, body: newCase(world) }),
    status: partners(409, 404),
  },
  list_partner_cases: { request: () => ({ path: '/v1/client/cases' }), status: partners(200, 200) },
  get_partner_case: {
    request: ({ caseOfA }) => ({ path: `/v1/client/cases/${caseOfA}` }),
    status: partners(200, 404),
  },
  update_partner_case: {
    request: ({ caseOfA }) => ({ path: `/v1/client/cases/${caseOfA}`, body: { reference: '2024-118' } }),
    status: partners(200, 404),
  },
  // Of a case that is not there, so that the matrix can go on with the one that is.
  delete_partner_case: {
    request: () => ({ path: '/v1/client/cases/999999999' }),
    status: partners(404, 404),
  },
  // Of a case that is not there: a call is done when it has said so of each case.
  change_partner_cases: {
    request: () => ({
      path: '/v1/client/cases/bulk',
      body: { case_refs: ['999999999'], action: 'pause' },
    }),
    status: partners(200, 200),
  },
  list_changes: { request: () => ({ path: '/v1/client/changes' }), status: partners(200, 200) },
  // Of a change that is not there: the matrix makes none.
  review_changes: {
    request: () => ({ path: '/v1/client/changes/review', body: { ids: [999_999_999], reviewed: true } }),
    status: partners(404, 404),
  },
  // A file without rows, so that the matrix makes nobody.
  create_import: {
    request: () => ({ path: '/v1/client/imports', body: { rows: [] } }),
    status: partners(400, 400),
  },
  // No file: what is not text/csv is refused before it is read.
  check_import: {
    request: () => ({ path: '/v1/client/imports/check', body: {} }),
    status: partners(415, 415),
  },
  list_imports: { request: () => ({ path: '/v1/client/imports' }), status: partners(200, 200) },
  get_import: { request: () => ({ path: '/v1/client/imports/999999999' }), status: partners(404, 404) },
  list_import_rows: {
    request: () => ({ path: '/v1/client/imports/999999999/rows' }),
    status: partners(404, 404),
  },
  send_import_verifications: {
    request: () => ({ path: '/v1/client/imports/999999999/send-verifications', body: {} }),
    status: partners(404, 404),
  },
  cancel_import: { request: () => ({ path: '/v1/client/imports/999999999' }), status: partners(404, 404) },
  export_cases: { request: () => ({ path: '/v1/client/cases.csv' }), status: partners(200, 200) },
  export_changes: { request: () => ({ path: '/v1/client/changes.csv' }), status: partners(200, 200) },
  export_refused_rows: {
    request: () => ({ path: '/v1/client/imports/999999999/refused.csv' }),
    status: partners(404, 404),
  },
  export_users: { request: () => ({ path: '/v1/client/users.csv' }), status: partners(200, 200) },
  get_statistics: { request: () => ({ path: '/v1/client/statistics' }), status: partners(200, 200) },
  list_suppressions: { request: () => ({ path: '/v1/client/suppressions' }), status: partners(200, 200) },
  list_acknowledgements: {
    request: ({ caseOfA }) => ({ path: `/v1/client/cases/${caseOfA}/acknowledgements` }),
    status: partners(200, 404),
  },
  list_case_deliveries: {
    request: ({ caseOfA }) => ({ path: `/v1/client/cases/${caseOfA}/deliveries` }),
    status: partners(200, 404),
  },
  list_cases: { request: ({ userA }) => ({ path: `/v1/users/${userA}/cases` }), status: both(200) },
  create_case: {
    request: (world) => ({ path: `/v1/users/${world.userA}/cases`, body: newCase(world) }),
    status: persons(409, 404),
  },
  get_case: {
    request: ({ userA, caseOfA }) => ({ path: `/v1/users/${userA}/cases/${caseOfA}` }),
    status: both(200),
  },
  update_case: {
    request: ({ userA, caseOfA }) => ({
      path: `/v1/users/${userA}/cases/${caseOfA}`,
      body: { description: 'x' },
    }),
    status: both(200),
  },
  // Of a case that is not there, so that the matrix can go on with the one that is.
  delete_case: {
    request: ({ userA }) => ({ path: `/v1/users/${userA}/cases/999999999` }),
    status: persons(404, 404),
  },
  check: {
    request: ({ receipt }) => ({ path: '/v1/check', body: { receipt_number: receipt } }),
    status: both(200, 200, 200),
  },

  get_status: { request: () => ({ path: '/v1/status' }), status: open(200) },

  list_webhooks: { request: () => ({ path: '/v1/webhooks' }), status: partners(200, 200) },
  create_webhook: {
    request: () => ({ path: '/v1/webhooks', body: { url: 'https://192.0.2.1/hooks', events: ['*'] } }),
    status: partners(400, 400),
  },
  get_webhook: {
    request: ({ webhookOfP }) => ({ path: `/v1/webhooks/${webhookOfP}` }),
    status: partners(200, 404),
  },
  update_webhook: {
    request: ({ webhookOfP }) => ({ path: `/v1/webhooks/${webhookOfP}`, body: { description: 'x' } }),
    status: partners(200, 404),
  },
  list_deliveries: {
    request: ({ webhookOfP }) => ({ path: `/v1/webhooks/${webhookOfP}/deliveries` }),
    status: partners(200, 404),
  },
  rotate_webhook_secret: {
    request: ({ webhookOfP }) => ({ path: `/v1/webhooks/${webhookOfP}/rotate-secret`, body: {} }),
    status: partners(200, 404),
  },
  test_webhook: {
    request: ({ webhookOfP }) => ({ path: `/v1/webhooks/${webhookOfP}/test`, body: {} }),
    status: partners(200, 404),
  },
  get_delivery: {
    request: ({ webhookOfP }) => ({ path: `/v1/webhooks/${webhookOfP}/deliveries/evt_none` }),
    status: partners(404, 404),
  },
  redeliver: {
    request: ({ webhookOfP }) => ({ path: `/v1/webhooks/${webhookOfP}/deliveries/evt_none/redeliver` }),
    status: partners(404, 404),
  },
  replay_events: {
    request: ({ webhookOfP }) => ({
      path: `/v1/webhooks/${webhookOfP}/replay`,
      body: { since: new Date(Date.now() - 60_000).toISOString() },
    }),
    status: partners(202, 404),
  },
  get_replay: {
    request: ({ webhookOfP }) => ({ path: `/v1/webhooks/${webhookOfP}/tasks/999999999` }),
    status: partners(404, 404),
  },
  cancel_replay: {
    request: ({ webhookOfP }) => ({ path: `/v1/webhooks/${webhookOfP}/tasks/999999999` }),
    status: partners(404, 404),
  },
  list_event_types: { request: () => ({ path: '/v1/webhooks/event-types' }), status: partners(200, 200) },
  list_events: { request: () => ({ path: '/v1/events' }), status: partners(200, 200) },
  delete_webhook: { request: () => ({ path: '/v1/webhooks/999999999' }), status: partners(404, 404) },
  // Another user's and one that is not there: the caller goes on in the matrix.
  delete_user: { request: () => ({ path: '/v1/users/999999999' }), status: persons(404, 404) },
  delete_partner_user: {
    request: () => ({ path: '/v1/client/users/999999999' }),
    status: partners(404, 404),
  },
};
