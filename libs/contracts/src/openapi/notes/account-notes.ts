import type { FieldNotes } from './field-note.ts';

const userId = { description: 'Id of the user.', example: 317 };

/** Fields of users, partners and signing in. */
export const accountNotes: FieldNotes = {
  'User.id': userId,
  'UserOfUpdate.id': userId,
  'PartnerUser.id': userId,
  'PartnerUserWithName.id': userId,
  'EmbeddedUser.id': userId,
  User: { description: 'A person whose cases are watched.' },
  UserOfUpdate: {
    description:
      'A user as an update answers it. `email` is the present address; one that the person asked for is not shown.',
  },
  PartnerUser: { description: 'A user as reads under /v1/client answer it.' },
  PartnerUserWithName: { description: "A user with the partner's name." },
  EmbeddedUser: { description: 'The user that a case belongs to.' },
  VerificationDelivery: { description: 'How a verification mail fares; every key is always there.' },
  Language: { description: 'English, Spanish or Portuguese.' },
  Client: { description: "A partner's own profile." },
  ClientRead: { description: "A partner's own profile, as it is read." },
  Scope: { description: "What a partner's key may do." },
  user_id: { description: 'Id of the user.', example: 317 },
  email: {
    description: 'E-mail address; unique within a partner, compared in lower case.',
    example: 'ana.silva@example.com',
  },
  name: {
    description: 'Full name, one line, without control or invisible formatting characters.',
    example: 'Ana Silva',
  },
  phone: { description: 'Telephone number in E.164, or null.', example: '+12025550123' },
  preferred_language: { description: 'Language of mails, messages and plain-language texts.', example: 'pt' },
  email_verified_at: { description: 'When the address was proven, UTC; null before.' },
  notify_by_email: { description: 'Whether status changes are mailed.' },
  notify_by_whatsapp: {
    description: 'Whether status changes are sent by WhatsApp; needs a phone and records consent.',
    example: false,
  },
  UserStatus: {
    description: '`inactive`: no new cases, not checked, not notified; `suspended`: also no sign-in.',
  },
  partner_name: { description: 'Name of the partner that the user belongs to.', example: 'Demo Relocation' },
  send_verification: { description: 'Whether the verification mail is sent now.' },
  verification_required: { description: 'Whether the address is still to be proven.' },
  verification_delivery: { description: 'How the verification mail fares.' },
  'VerificationDelivery.status': { description: 'How far it has come.', example: 'queued' },
  'VerificationDelivery.channel': { description: 'Always e-mail.' },
  'VerificationDelivery.reason': {
    description:
      'Why it was skipped: `not_requested`, `already_verified`, or `recipient_limit`: the address has had 3 mails within an hour or 10 within a day.',
    example: null,
  },
  'VerificationDelivery.to': { description: 'The address, masked.', example: 'a***@example.com' },
  'VerificationDelivery.attempts': { description: 'Tries so far.', example: 0 },
  'VerificationDelivery.last_error': { description: 'What the last try failed with.', example: null },
  queued_at: { description: 'When it was queued, UTC.' },
  sent_at: { description: 'When it was sent, UTC.' },
  expires_at: { description: 'When it ends to hold, UTC.' },
  resend_available_at: { description: 'When another one can be asked for, UTC.' },
  verified: { description: 'Whether the address is proven now.' },
  already_verified: { description: 'Whether it had been proven before.', example: false },

  code: { description: 'The six digits from the mail; spaces and dashes do not matter.', example: '402913' },
  request_id: { description: 'Names the code that was asked for.', example: '5f1d7a52c3e94b0d8a6f21c4' },
  grant_type: { description: 'What the token is asked for with.' },
  resend_after: { description: 'Seconds until another code can be asked for.' },
  expires_in: { description: 'Seconds that it holds.' },
  token_type: { description: 'How to send it: `Authorization: Bearer …`.' },
  access_token: { description: 'The bearer token.', example: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' },
  refresh_token: {
    description: 'For the next token, once; each one is replaced when it is used.',
    example: 's_1.1.c2lnbmF0dXJl',
  },
  refresh_expires_in: { description: 'Seconds that the refresh token holds.', example: 2_592_000 },
  valid: { description: 'The code is right, and has not been used.' },
  undone: { description: 'Whether the old address is the one that holds now.' },
  already_undone: { description: 'Whether it had been undone before.', example: false },
  all_sessions: { description: 'Whether all sessions of the person end.' },

  logo_url: {
    description: 'Address of your logo, https, or null.',
    example: 'https://www.example.com/logo.png',
  },
  'Client.email': { description: 'Where we write to you.', example: 'office@demo-relocation.example' },
  'Client.name': { description: 'Your name.', example: 'Demo Relocation' },
  'ClientRead.email': { description: 'Where we write to you.', example: 'office@demo-relocation.example' },
  'ClientRead.name': { description: 'Your name.', example: 'Demo Relocation' },
  notify_unverified: {
    description: 'Whether people are notified before they have proven their address.',
    example: false,
  },
  case_url: { description: 'Where notices lead to, or null.', example: null },
  reply_to: { description: 'Where answers to mails go, or null.', example: null },
  support_contact: { description: 'Whom people are told to ask, or null.', example: null },
  user_count: { description: 'How many users you have.', example: 3 },
  case_count: {
    description: 'How many cases they have; of more than 10,000, as of a minute ago at most.',
    example: 5,
  },
  limits: { description: 'What you may use at most.' },
  requests_per_minute: { description: 'Requests a minute.', example: 600 },
  webhooks: { description: 'Endpoints.', example: 20 },
  active_cases_per_user: { description: 'Active cases of one user.', example: 50 },
  live_checks_per_day: {
    description:
      'Live checks in a day of the government, your users’ too; null where it cannot be told at the moment.',
    example: 20_000,
  },
  scopes: {
    description:
      'What a key may do. A new key has no scope that the calling key lacks; left out: the same ones.',
  },

  ApiKey: { description: 'A key pair of yours.' },
  ApiKeyRead: { description: 'A key pair of yours, as it is read.' },
  ApiKeyWithSecret: { description: 'A new key pair, with the secret that is shown only now.' },
  'ApiKey.name': { description: 'What you call it.', example: 'production' },
  'ApiKeyRead.name': { description: 'What you call it.', example: 'production' },
  'ApiKeyWithSecret.name': { description: 'What you call it.', example: 'production' },
  key: { description: 'The key pair.' },
  keys: { description: 'Key pairs, newest first.' },
  key_id: { description: 'Id of the key pair.', example: 12 },
  replaced_key: { description: 'The pair that was replaced; `expires_at` is when it ends.' },
  api_key: {
    description: 'Its public half, for X-API-KEY.',
    example: 'cwk_live_0123456789ABCDEFGHIJKLMNOPQRST',
  },
  api_secret: {
    description: 'Its secret half, for X-API-SECRET: shown once; null where an answer is given again.',
    example: null,
  },
  allowed_ips: {
    description:
      'Addresses and ranges (CIDR) that it works from; empty: from anywhere. Those of a new key lie within those of the calling key; left out: the same ones.',
    example: ['192.0.2.0/24'],
  },
  replaced_by: { description: 'Id of the pair that a rotation put in its place.', example: null },
  last_used_at: { description: 'When it was used last, to about a minute, UTC.' },
  revoked_at: { description: 'When it was revoked, UTC.', example: null },
  overlap_seconds: { description: 'How long the replaced pair goes on to work; 0: not at all.' },
};
