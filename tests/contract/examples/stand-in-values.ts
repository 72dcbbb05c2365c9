export const eventId = 'evt_019a5c7e-3b1d-7c52-8f60-2d41c09ab8e7';
export const testEventId = 'evt_test_5f1d7a52c3e94b0d8a6f21c4b7e09d13';

const requestId = 'req_5f1d7a52c3e94b0d8a6f21c4';

/** Fixed texts by field; a text that matches `unless` stays. */
export const texts: Record<string, { value: string; unless?: RegExp }> = {
  // A UUID is the id of a login code.
  request_id: { value: requestId, unless: /^[0-9a-f]{8}-/ },
  instance: { value: `urn:request:${requestId}` },
  // Six digits are a login code; 000000 is the wrong one that examples send.
  code: { value: '402913', unless: /^(?!\d{6}$)|^000000$/ },
  access_token: { value: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' },
  refresh_token: { value: 's_1.1.c2lnbmF0dXJl', unless: /^not-/ },
  token: { value: 'token-from-the-link', unless: /^not-/ },
  next_cursor: { value: 'eyJhZnRlciI6MTA0Mn0.c2lnbmF0dXJl' },
  updates_cursor: { value: 'eyJhZnRlciI6NTIxMH0.c2lnbmF0dXJl' },
  // Other addresses stay.
  url: {
    value: 'https://api.example.com/console/enter?token=token-from-the-link',
    unless: /^(?!.*\/console\/enter)/,
  },
  secret: { value: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
  api_key: { value: `cwk_live_${'EXAMPLEexample'.repeat(2)}00` },
  api_secret: { value: `cws_live_${'EXAMPLEexample'.repeat(3)}0000000` },
  'webhook-timestamp': { value: '1795255200' },
};

/** Fixed times by field, in the order in which they happen; all others are ten o'clock. */
export const times: Record<string, string> = {
  created_at: '2026-11-20T14:05:09.120Z',
  updated_at: '2026-11-20T14:05:09.120Z',
  queued_at: '2026-11-20T14:05:09.120Z',
  uscis_access_acknowledged_at: '2026-11-20T14:05:09.120Z',
  acknowledged_at: '2026-11-20T14:05:09.120Z',
  resend_available_at: '2026-11-20T14:06:09.120Z',
  email_verified_at: '2026-11-20T14:11:42.305Z',
  sent_at: '2026-11-20T14:05:10.433Z',
  accepted_at: '2026-11-20T14:11:42.305Z',
  signed_in_at: '2026-11-20T14:11:42.305Z',
  used_at: '2026-11-20T14:11:42.305Z',
  removed_at: '2026-11-21T09:00:00.000Z',
  expires_at: '2026-11-22T14:05:09.120Z',
  timestamp: '2026-11-21T09:58:31.877Z',
  email_notify_sent_at: '2026-11-21T09:58:33.041Z',
  whatsapp_notify_sent_at: '2026-11-21T09:58:34.460Z',
  since: '2026-11-21T08:00:00.000Z',
  start: '2026-11-21T00:00:00.000Z',
  next_check_at: '2026-11-21T15:58:31.877Z',
};

const fixed = (value: number) => () => value;

/** Fixed numbers by field, for measurements. */
export const numbers: Record<string, (measured: number) => number> = {
  ms: fixed(87),
  p50_seconds: fixed(5_400),
  p95_seconds: fixed(20_700),
  needed_per_day: fixed(14_400),
  available_per_day: fixed(86_400),
  stretch: fixed(1),
  room: fixed(18_000),
  used_today: fixed(550),
  receipts: fixed(3_600),
  user_count: fixed(3),
  case_count: fixed(5),
  requests_per_minute: fixed(600),
  users_created: fixed(1),
  cases_created: fixed(2),
  status_changes: fixed(3),
  notifications_sent: fixed(3),
  notifications_failed: fixed(0),
  deliveries: fixed(8),
  deliveries_failed: fixed(0),
  // The rest of a login code's ten minutes; the lifetime of an access token stays.
  expires_in: (seconds) => (seconds < 600 ? 594 : seconds),
  refresh_expires_in: fixed(1_209_600),
};

/** By the id's own field, or by the field of the object that has the `id`. */
export const idKinds: Record<string, string> = {
  import: 'imports',
  imports: 'imports',
  changes: 'updates',
  user_id: 'users',
  user: 'users',
  users: 'users',
  case: 'cases',
  cases: 'cases',
  webhook: 'webhooks',
  webhooks: 'webhooks',
  webhook_id: 'webhooks',
  task: 'tasks',
  key: 'keys',
  keys: 'keys',
  replaced_key: 'keys',
  replaced_by: 'keys',
  key_id: 'keys',
  client: 'partners',
  staff_id: 'staff',
  staff: 'staff',
  staff_member: 'staff',
  latest_update: 'updates',
  status_updates: 'updates',
  status_update_id: 'updates',
};

export const firstIds: Record<string, number> = {
  users: 317,
  cases: 1_042,
  webhooks: 12,
  tasks: 7,
  keys: 4,
  staff: 3,
  updates: 5_210,
  imports: 21,
};
