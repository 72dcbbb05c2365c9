import type { FieldNotes } from './field-note.ts';

const userId = { description: 'Id of the user.', example: 317 };

/** Fields of users, partners and signing in. */
export const accountNotes: FieldNotes = {
  'User.id': userId,
  'UserOfUpdate.id': userId,
  'PartnerUser.id': userId,
  'PartnerUserWithName.id': userId,
  'EmbeddedUser.id': userId,
  User: { description: 'A person whose cases are monitored.' },
  UserOfUpdate: {
    description:
      'A user, as returned by an update. `email` is the current address; a new address that is not verified yet is not shown.',
  },
  PartnerUser: { description: 'A user, as returned by GET requests under /v1/client.' },
  PartnerUserWithName: { description: "A user, with the name of the user's partner." },
  EmbeddedUser: { description: 'The user that a case belongs to.' },
  VerificationDelivery: {
    description: 'Delivery status of a verification e-mail. Every field is always present.',
  },
  Language: { description: 'English, Spanish or Portuguese.' },
  Client: { description: "The calling partner's profile." },
  ClientRead: { description: "The calling partner's profile, as returned by GET." },
  Scope: { description: 'A permission of an API key.' },
  user_id: { description: 'Id of the user.', example: 317 },
  email: {
    description: 'E-mail address. Unique within a partner; upper and lower case are the same.',
    example: 'ana.silva@example.com',
  },
  name: {
    description: 'Full name. One line, without control characters or invisible formatting characters.',
    example: 'Ana Silva',
  },
  'query.email': { description: 'Only the user with this address.' },
  'query.name': {
    description:
      'Only users whose name has words that begin so, in any order: `silva ana` finds Ana Silva. Upper and lower case and accents make no difference. At most 200 are found.',
    example: 'silva',
  },
  phone: { description: 'Phone number in E.164 format, or null.', example: '+12025550123' },
  preferred_language: {
    description: 'Language of e-mails, messages and plain-language texts.',
    example: 'pt',
  },
  email_verified_at: { description: 'Time when the address was verified, UTC; null if it is not verified.' },
  notify_by_email: { description: 'Whether the user gets an e-mail when a status changes.' },
  notify_by_whatsapp: {
    description:
      'Whether the user gets a WhatsApp message when a status changes. Requires `phone`; setting it to true records consent.',
    example: false,
  },
  UserStatus: {
    description:
      '`active`; `inactive`: no new cases, no checks, no notifications; `suspended`: the same, and the user cannot sign in.',
  },
  partner_name: { description: 'Name of the partner that manages the user.', example: 'Demo Relocation' },
  send_verification: { description: 'Whether to send a verification e-mail to the user.' },
  verification_required: { description: 'Whether the user still has to verify the address.' },
  verification_delivery: { description: 'Delivery status of the verification e-mail.' },
  'VerificationDelivery.status': { description: 'Delivery status of the e-mail.', example: 'queued' },
  'VerificationDelivery.channel': { description: 'Always `email`.' },
  'VerificationDelivery.reason': {
    description:
      'Why the e-mail was skipped: `not_requested`, `already_verified`, or `recipient_limit` (we sent 3 e-mails to the address within an hour, or 10 within a day).',
    example: null,
  },
  'VerificationDelivery.to': { description: 'The recipient, masked.', example: 'a***@example.com' },
  'VerificationDelivery.attempts': { description: 'Number of delivery attempts so far.', example: 0 },
  'VerificationDelivery.last_error': {
    description: 'Error of the last failed attempt, or null.',
    example: null,
  },
  queued_at: { description: 'Time when the e-mail was queued, UTC.' },
  sent_at: { description: 'Time when the e-mail was sent, UTC; null if it was not sent.' },
  expires_at: { description: 'Expiry time, UTC.' },
  resend_available_at: { description: 'Earliest time at which another e-mail can be requested, UTC.' },
  verified: { description: 'Whether the address is verified now.' },
  already_verified: { description: 'Whether the address was verified before this request.', example: false },

  code: {
    description: 'The six-digit code from the e-mail. Spaces and dashes are ignored.',
    example: '402913',
  },
  request_id: { description: 'Id of the request that sent the code.', example: '5f1d7a52c3e94b0d8a6f21c4' },
  'LoginCodeGrant.grant_type': { description: 'Sign in with a code. This is the default.' },
  'RefreshTokenGrant.grant_type': { description: 'Renew a session.' },
  resend_after: { description: 'Seconds until another code can be requested.' },
  expires_in: { description: 'Lifetime in seconds.' },
  token_type: { description: 'Token type. Send the token as `Authorization: Bearer <token>`.' },
  access_token: { description: 'The bearer token.', example: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' },
  refresh_token: {
    description: 'Gets the next access token. Each refresh token works once and is replaced when it is used.',
    example: 's_1.1.c2lnbmF0dXJl',
  },
  refresh_expires_in: { description: 'Lifetime of the refresh token in seconds.', example: 2_592_000 },
  valid: { description: 'Always true: the code is correct and unused.' },
  undone: { description: 'Whether the old address is in effect again.' },
  already_undone: { description: 'Whether the change was undone before this request.', example: false },
  all_sessions: { description: 'Whether to end all sessions of the user, not only the current one.' },

  logo_url: {
    description: 'HTTPS address from which Casewatch fetches your logo, or null.',
    example: 'https://www.example.com/logo.png',
  },
  shown_logo_url: {
    description: 'Address of our copy of your logo, which users see; null: users see no logo.',
    example: 'https://casewatch.example/logos/3q2-7wAbCdEf.png',
  },
  logo_fault: {
    description:
      'Why users do not see your logo: `address_not_allowed` (the host has no address, or one that is not public), `not_reachable` (no answer with status 200 within 5 seconds), `redirect`, `too_large` (more than 200 KiB) or `not_an_image` (neither PNG, JPEG nor WebP). Null: no fault.',
    example: null,
  },
  client: { description: 'Your profile.' },
  'Client.status': { description: '`active`, or `suspended` by Casewatch.', example: 'active' },
  'ClientRead.status': { description: '`active`, or `suspended` by Casewatch.', example: 'active' },
  'Client.email': { description: 'Your contact address.', example: 'office@demo-relocation.example' },
  'Client.name': { description: 'Your name, as users see it.', example: 'Demo Relocation' },
  'ClientRead.email': { description: 'Your contact address.', example: 'office@demo-relocation.example' },
  'ClientRead.name': { description: 'Your name, as users see it.', example: 'Demo Relocation' },
  notify_unverified: {
    description: 'Whether users are notified before they have verified their address.',
    example: false,
  },
  case_url: { description: 'Address that links in notifications lead to, or null.', example: null },
  reply_to: { description: 'Reply-To address of e-mails to your users, or null.', example: null },
  pending_reply_to: {
    description: 'Reply-To address that its mailbox has not confirmed yet, or null.',
    example: null,
  },
  'Client.time_zone': {
    description: 'Time zone of quiet hours and of your staff, or null.',
    example: 'America/Chicago',
  },
  'ClientRead.time_zone': {
    description: 'Time zone of quiet hours and of your staff, or null.',
    example: 'America/Chicago',
  },
  calendar_addresses: {
    description:
      'Whether your staff may make secret addresses of their calendars. False also ends those that there are.',
    example: true,
  },
  second_factor: {
    description: 'Which members of your staff must sign in with a second factor: `none`, `owners` or `all`.',
    example: 'owners',
  },
  support_contact: { description: 'Support contact shown to your users, or null.', example: null },
  user_count: { description: 'Number of your users, counted up to 10,000.', example: 3 },
  case_count: { description: 'Number of cases of your users, counted up to 10,000.', example: 5 },
  user_count_is_exact: { description: 'False: there are more users.', example: true },
  case_count_is_exact: { description: 'False: there are more cases.', example: true },
  limits: { description: 'Your limits.' },
  requests_per_minute: { description: 'Maximum number of requests per minute.', example: 600 },
  active_cases_per_user: { description: 'Maximum number of active cases per user.', example: 50 },
  live_checks_per_day: {
    description:
      'Maximum number of live checks per USCIS quota day, including those of your users; null if the limit is temporarily unavailable.',
    example: 20_000,
  },
  scopes: {
    description:
      'Permissions of the key. A new key can only have scopes of the calling key. Default: the scopes of the calling key.',
  },

  StatisticsPeriod: { description: 'What happened in one hour or one day.' },
  hours: { description: 'The last 24 hours, oldest first.' },
  days: { description: 'The last 30 days, oldest first.' },
  'StatisticsPeriod.start': { description: 'Start of the hour or the day, UTC.' },
  users_created: { description: 'Number of users created.', example: 1 },
  cases_created: { description: 'Number of cases created.', example: 2 },
  status_changes: {
    description: 'Number of status updates of your cases, without first statuses.',
    example: 3,
  },
  notifications_sent: { description: 'Number of messages to your users that were sent.', example: 3 },
  notifications_failed: { description: 'Number of messages that could not be sent.', example: 0 },
  'StatisticsPeriod.deliveries': {
    description: 'Number of deliveries to your webhook endpoints.',
    example: 8,
  },
  deliveries_failed: { description: 'Number of those deliveries that failed in every attempt.', example: 0 },

  Suppression: { description: 'A user who gets no messages on one channel.' },
  suppressions: { description: 'The users, newest first.' },
  'Suppression.reason': {
    description:
      '`hard_bounce`: the address does not accept messages. `complaint`: the person reported a message as spam. `opt_out`: the person answered STOP. `unsubscribed`: the person used the link in a message.',
    example: 'hard_bounce',
  },
  'Suppression.since': { description: 'Time since when no messages are sent, UTC.' },
  'Suppression.user': { description: 'The user.' },
  'Suppression.channel': { description: '`email` or `whatsapp`.', example: 'email' },
  'query.user_id': { description: 'Only cases, events, or entries of this user.' },

  ApiKey: { description: 'One of your API key pairs.' },
  ApiKeyRead: { description: 'One of your API key pairs, as returned by GET.' },
  ApiKeyWithSecret: { description: 'A new API key pair with its secret. The secret is shown only once.' },
  'ApiKey.name': { description: 'Your name for the key pair.', example: 'production' },
  'ApiKeyRead.name': { description: 'Your name for the key pair.', example: 'production' },
  'ApiKeyWithSecret.name': { description: 'Your name for the key pair.', example: 'production' },
  key: { description: 'The key pair.' },
  keys: { description: 'Key pairs, newest first.' },
  key_id: { description: 'Id of the key pair.', example: 12 },
  replaced_key: { description: 'The key pair that was replaced. It works until `expires_at`.' },
  api_key: {
    description: 'Public part of the key pair. Send it as `X-API-KEY`.',
    example: 'cwk_live_0123456789ABCDEFGHIJKLMNOPQRST',
  },
  api_secret: {
    description:
      'Secret part of the key pair. Send it as `X-API-SECRET`. Shown once; null when a response is replayed for an Idempotency-Key.',
    example: null,
  },
  allowed_ips: {
    description:
      'IP addresses and CIDR ranges that may use the key; empty: any address. A new key can only have ranges within those of the calling key. Default: the ranges of the calling key.',
    example: ['192.0.2.0/24'],
  },
  replaced_by: {
    description: 'Id of the key pair that replaced this one in a rotation, or null.',
    example: null,
  },
  last_used_at: { description: 'Time of the last use, UTC, accurate to about one minute.' },
  revoked_at: { description: 'Time when the key pair was revoked, UTC, or null.', example: null },
  StaffMember: { description: 'A person who works at your organization.' },
  StaffMemberRead: { description: 'A member of your staff, as returned by GET.' },
  StaffExport: { description: 'Everything that is stored about a member of your staff.' },
  StaffRole: {
    description: '`owner`: everything; `editor`: users, cases and checks; `viewer`: reads users and cases.',
  },
  StaffStatus: {
    description:
      '`invited`: has not accepted the invitation yet; `active`; `disabled`: has no access until you set `active` again.',
  },
  AuditEntry: { description: 'Something that somebody did, read or was not permitted to do.' },
  records: { description: 'The records, newest first.' },
  'AuditEntry.id': { description: 'Id of the record.', example: '0197a1c2-6c1d-7d3e-9a51-0c2f4b6d8e90' },
  'AuditEntry.at': { description: 'Time when the call began, UTC.' },
  'AuditEntry.actor': { description: 'Who did it.' },
  'AuditEntry.operation': {
    description:
      'Name of the operation; `sign_in`, `sign_out`, `end_reused_session` (a session ended because an old token of it came: perhaps a stolen one), `accept_invitation`, `set_up_second_factor`, `turn_off_second_factor`, `use_recovery_code`, `open_console`; `admin …`; or `page …`, a page of the console that was refused.',
    example: 'create_partner_case',
  },
  'AuditEntry.objects': { description: 'What it did something to, or what it showed.' },
  'AuditEntry.count': { description: 'Number of rows of a list that was read; otherwise null.', example: 20 },
  'AuditEntry.status': { description: 'HTTP status of the response; 403: a refusal.', example: 201 },
  'AuditEntry.network': {
    description: 'The /24 (IPv4) or /48 (IPv6) of the caller; null for an operator.',
    example: '192.0.2.0/24',
  },
  'AuditEntry.request_id': { description: 'Id of the request.', example: 'req_8f3b2c1d4e5f60718293a4b5' },
  'query.actor': {
    description: 'Only what one actor did: `key:<id>`, `staff:<id>`, `person:<id>`, or `operator`.',
    example: 'staff:3',
  },
  'query.operation': {
    description: 'Only these operations, separated by commas.',
    example: 'create_partner_case',
  },
  'query.object': {
    description: 'Only what was done to one object: its kind and its id.',
    example: 'case:1042',
  },
  'query.reassign_to': {
    description: 'Id of the member who gets the cases; without it, nobody does.',
    example: 4,
  },
  staff: { description: 'The members, newest first.' },
  staff_member: { description: 'The member.' },
  staff_id: { description: 'Id of the member.', example: 3 },
  'StaffMember.id': { description: 'Id of the member.', example: 3 },
  'StaffMember.name': { description: 'Full name.', example: 'Maria Lopes' },
  'StaffMember.email': { description: 'E-mail address.', example: 'maria.lopes@firm.example' },
  role: { description: 'What the member may do.', example: 'editor' },
  language: { description: 'Language of e-mails to the member. Default: English.', example: 'en' },
  time_zone: {
    description: 'Time zone of the member, by its IANA name; null: the one of your organization.',
    example: 'America/Chicago',
  },
  'StaffMember.second_factor': {
    description: 'Whether the member signs in with a second factor.',
    example: true,
  },
  'StaffMemberRead.second_factor': {
    description: 'Whether the member signs in with a second factor.',
    example: true,
  },
  'StaffExport.second_factor': {
    description: 'Whether the member signs in with a second factor.',
    example: true,
  },
  second_factor_since: {
    description: 'Time when the member set up the second factor, UTC, or null.',
    example: null,
  },
  calendar_address_since: {
    description: 'Time when the member made the secret address of the calendar, UTC, or null.',
    example: null,
  },
  Alerts: { description: 'What a member hears by e-mail, and when.' },
  alerts: { description: 'What the member hears by e-mail, and when.' },
  new_member_alerts: { description: 'The alerts of members whom you invite from now on.' },
  names_in_mails: {
    description: 'Whether e-mails to your staff name the client, in their text alone.',
    example: true,
  },
  immediate: {
    description:
      'What comes immediately: categories of statuses, and `urgent` for whatever is urgent. Empty: nothing, except an urgent change that would reach nobody else.',
    example: ['urgent'],
  },
  'Alerts.scope': {
    description: '`mine`: the cases of the member, and those on which nobody works. `all`: all cases.',
    example: 'mine',
  },
  digest: { description: 'On which days the digest comes.', example: 'weekdays' },
  digest_at: { description: 'When the digest comes, in the time zone of the member.', example: '08:00' },
  quiet_hours: {
    description:
      'When nothing comes that is not urgent, in the time zone of the member; null: never. They go over midnight if `to` is before `from`.',
    example: { from: '20:00', to: '07:00' },
  },
  'quiet_hours.from': { description: 'Beginning.', example: '20:00' },
  'quiet_hours.to': { description: 'End.', example: '07:00' },
  away_until: {
    description: 'Until then the owners hear what the member would hear; null: the member is not away.',
    example: null,
  },
  alerts_changed_at: {
    description: 'Time when the alerts of the member were last changed, UTC; null if they never were.',
    example: null,
  },
  last_seen_at: { description: 'Time when the member last used the console, UTC, or null.', example: null },
  resend: {
    description: 'True: invite a member again who has not accepted yet. Default: false.',
    example: false,
  },
  accepted_at: { description: 'Time when the member accepted the invitation, UTC, or null.' },
  removed_at: { description: 'Time when the member was removed, UTC, or null.', example: null },
  'StaffExport.email': {
    description: 'E-mail address; null when it was deleted after the removal.',
    example: 'maria.lopes@firm.example',
  },
  invitations: { description: 'Invitations of the last seven days, newest first.' },
  sessions: { description: 'Sign-ins to the console, newest first, until 30 days after their end.' },
  signed_in_at: { description: 'Time of the sign-in, UTC.' },
  'StaffExport.sign_in_codes': {
    description: 'Codes for a sign-in that were asked for with the address in the last day, newest first.',
  },
  'StaffExport.notices': {
    description:
      'E-mails about a new sign-in, changed settings or the deletion of your organization, newest first.',
  },
  'StaffExport.records': {
    description:
      'What the member did, and what was done to the member, in the last year: the newest 5,000 records of each.',
  },
  'StaffExport.acknowledgements': {
    description: 'Cases for which the member stated that the access is authorized; at most 10,000.',
  },
  'StaffExport.alerts_sent': {
    description:
      'Changes and days for an answer of which the member was told by e-mail; at most 10,000, of the last 90 days.',
  },
  'StaffExport.answers_sent': {
    description: 'Cases whose answer the member marked as sent; at most 10,000.',
  },
  'StaffExport.reviews': { description: 'Changes that the member marked as reviewed; at most 10,000.' },
  'StaffExport.assigned_case_ids': { description: 'Ids of the cases of the member; at most 10,000.' },
  'StaffExport.cut_off': {
    description:
      'Lists of this answer that are as long as it can have them, so that there may be more. Ask the operator for the rest.',
    example: [],
  },
  change_id: { description: 'Id of the change.', example: 4711 },
  ended_at: { description: 'Time when the session was ended, UTC, or null.', example: null },
  used_at: { description: 'Time when the invitation was accepted, UTC, or null.', example: null },
  void_at: {
    description: 'Time when a change or a newer invitation ended this one, UTC, or null.',
    example: null,
  },
  ConsoleLink: { description: 'A link that opens the partner console in a browser, once.' },
  console_link: { description: 'The link. Send it to the person; it works once.' },
  'ConsoleLink.url': {
    description: 'Address of the link. Open it in the browser of the person within 10 minutes.',
    example: 'https://api.example.com/console/enter?token=token-from-the-link',
  },
  'ConsoleLink.expires_at': { description: 'Time when the link stops working if it is not opened, UTC.' },
  actor: {
    description: 'The person who uses the console. The console shows this name.',
    example: 'maria.lopes@firm.example',
  },
  read_only: {
    description:
      'Whether the console is read-only. A read-only console has the scopes that end with `:read`: it shows no webhooks and no keys.',
    example: false,
  },
  'CreateConsoleLinkRequest.expires_in': {
    description: 'Seconds until the console session ends, from the moment when the link is opened.',
    example: 28_800,
  },
  session_expires_in: { description: 'Seconds for which the console session lasts.', example: 28_800 },
  overlap_seconds: {
    description: 'Seconds for which the replaced key pair keeps working. 0: it stops working immediately.',
  },
};
