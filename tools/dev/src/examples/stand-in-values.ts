type Text = {
  value: string;
  /** Left as it is where it looks like this. */
  unless?: RegExp;
};

const always = (value: number) => () => value;

/** What identity and the bus make ids of. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

const requestId = 'req_5f1d7a52c3e94b0d8a6f21c4';

/** By field, for text that nobody can foresee; the shapes are the real ones. */
export const texts: Record<string, Text> = {
  request_id: { value: requestId, unless: uuid },
  instance: { value: `urn:request:${requestId}` },
  code: { value: '402913', unless: /^(?!\d{6}$)|^000000$/ },
  access_token: { value: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' },
  refresh_token: { value: 's_1.1.c2lnbmF0dXJl', unless: /^not-/ },
  token: { value: 'token-from-the-link', unless: /^not-/ },
  next_cursor: { value: 'eyJhZnRlciI6MTA0Mn0.c2lnbmF0dXJl' },
  updates_cursor: { value: 'eyJhZnRlciI6NTIxMH0.c2lnbmF0dXJl' },
  secret: { value: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
  api_key: { value: `cwk_live_${'EXAMPLEexample'.repeat(2)}00` },
  api_secret: { value: `cws_live_${'EXAMPLEexample'.repeat(3)}0000000` },
  'deliveries.id': { value: 'evt_019a5c7e-3b1d-7c52-8f60-2d41c09ab8e7-12' },
  event_id: { value: 'evt_019a5c7e-3b1d-7c52-8f60-2d41c09ab8e7' },
};

/** By field, for times of this run, in the order in which they happen; any other is ten o'clock. */
export const times: Record<string, string> = {
  created_at: '2026-11-20T14:05:09.120Z',
  updated_at: '2026-11-20T14:05:09.120Z',
  queued_at: '2026-11-20T14:05:09.120Z',
  uscis_access_acknowledged_at: '2026-11-20T14:05:09.120Z',
  resend_available_at: '2026-11-20T14:06:09.120Z',
  email_verified_at: '2026-11-20T14:11:42.305Z',
  expires_at: '2026-11-22T14:05:09.120Z',
  timestamp: '2026-11-21T09:58:31.877Z',
  email_notify_sent_at: '2026-11-21T09:58:33.041Z',
  whatsapp_notify_sent_at: '2026-11-21T09:58:34.460Z',
  next_check_at: '2026-11-21T15:58:31.877Z',
};

/** By field, for numbers that are measured. */
export const numbers: Record<string, (measured: number) => number> = {
  ms: always(87),
  p50_seconds: always(5_400),
  p95_seconds: always(20_700),
  needed_per_day: always(14_400),
  available_per_day: always(86_400),
  stretch: always(1),
  room: always(18_000),
  receipts: always(3_600),
  user_count: always(3),
  case_count: always(5),
  requests_per_minute: always(600),
  // What is left of a code's ten minutes; a token's are whole.
  expires_in: (seconds) => (seconds < 600 ? 594 : seconds),
  refresh_expires_in: always(1_209_600),
};
