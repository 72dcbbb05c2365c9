/** A code never changes its meaning within /v1; `message` is the default sentence (interface.md §2). */
export type CatalogueEntry = { status: number; message: string };

export const errorCatalogue = {
  validation_failed: entry(400, 'The request is not valid; `errors` lists every fault.'),
  malformed_json: entry(400, 'The body is not valid JSON.'),
  invalid_parameter: entry(400, 'A path or query parameter is not valid.'),
  unknown_parameter: entry(400, 'This operation does not have this query parameter; remove it.'),
  invalid_cursor: entry(400, 'The cursor is not valid for this list; start again without a cursor.'),
  invalid_receipt_number: entry(400, 'A receipt number is three letters followed by ten digits.'),
  receipt_number_rejected: entry(400, 'USCIS rejects this receipt number; check the number.'),
  uscis_access_not_acknowledged: entry(
    400,
    'Send uscis_access_acknowledged: true once the user or their counsel has authorized access.',
  ),
  invalid_idempotency_key: entry(400, 'An Idempotency-Key has 1 to 255 visible characters.'),
  invalid_verification_token: entry(400, 'This link is not valid or has expired; request a new link.'),
  invalid_invitation_token: entry(
    400,
    'This invitation is not valid, was used, or has expired; ask your organization for a new one.',
  ),
  webhook_url_not_allowed: entry(400, 'This address cannot receive webhooks.'),
  conflicting_credentials: entry(
    400,
    'The bearer token does not belong to the partner of the keys; send only one of them.',
  ),
  import_unreadable: entry(
    400,
    'The file cannot be read; send a CSV file with the names of the columns in its first row.',
  ),
  import_too_many_rows: entry(400, 'An import has at most 10,000 rows; import the others with another file.'),
  empty_update: entry(400, 'Send at least one field to change.'),

  missing_credentials: entry(401, 'Send credentials: a bearer token, or X-API-KEY and X-API-SECRET.'),
  invalid_api_key: entry(401, 'The API key or its secret is not valid.'),
  api_key_expired: entry(401, 'This API key has expired; use another key.'),
  api_key_revoked: entry(401, 'This API key has been revoked; use another key.'),
  invalid_token: entry(401, 'The bearer token is not valid.'),
  token_expired: entry(401, 'The bearer token has expired; get a new one with the refresh token.'),
  token_revoked: entry(401, 'The bearer token has been revoked; sign in again.'),
  invalid_login_code: entry(401, 'The login code is not valid or has expired; request a new code.'),
  console_link_invalid: entry(
    401,
    'This console link is not valid, was used, or has expired; create a new link.',
  ),
  console_session_ended: entry(
    401,
    'The console session has ended; sign in again, or open the console with a new link.',
  ),
  invalid_refresh_token: entry(401, 'The refresh token is not valid; sign in again.'),
  refresh_token_reused: entry(401, 'The refresh token was used before; the session has ended.'),
  reauthentication_required: entry(401, 'This operation requires a recent sign-in; sign in again.'),

  user_not_active: entry(403, 'The user is not active; set its status to active first.'),
  insufficient_scope: entry(403, 'This API key does not have the scope that this operation requires.'),
  insufficient_role: entry(403, 'Your role does not permit this; ask an owner of your organization.'),
  ip_not_allowed: entry(403, 'This API key is not allowed from this network address.'),
  partner_suspended: entry(403, 'This partner account is suspended.'),
  partner_keys_not_accepted: entry(
    403,
    'This operation requires a bearer token; partner keys are not accepted.',
  ),
  account_suspended: entry(403, 'This account is suspended by the operator.'),
  invalid_signature: entry(403, 'The signature does not match.'),
  cross_site_request: entry(403, 'This form was sent from another site; open the page again.'),

  route_not_found: entry(404, 'There is no operation at this address; check the path.'),
  user_not_found: entry(404, 'There is no such user.'),
  case_not_found: entry(404, 'There is no such case.'),
  change_not_found: entry(404, 'There is no such change.'),
  webhook_not_found: entry(404, 'There is no such webhook.'),
  delivery_not_found: entry(404, 'There is no such delivery.'),
  task_not_found: entry(404, 'There is no such task.'),
  import_not_found: entry(404, 'There is no such import.'),
  key_not_found: entry(404, 'There is no such API key.'),
  staff_not_found: entry(404, 'There is no such staff member.'),
  status_not_available: entry(404, 'USCIS shows no status for this receipt number at the moment.'),

  method_not_allowed: entry(405, 'This method is not supported here; `Allow` lists the supported methods.'),
  not_acceptable: entry(406, 'Responses are application/json only; change the Accept header.'),
  request_timeout: entry(408, 'The request did not arrive in time; send it again.'),
  payload_too_large: entry(413, 'The body is larger than 16 KiB.'),
  unsupported_media_type: entry(415, 'Send the body as application/json.'),
  headers_too_large: entry(431, 'The request headers are too large.'),

  email_already_exists: entry(409, 'A user with this e-mail address already exists.'),
  case_already_monitored: entry(409, 'This receipt number is already monitored for this user.'),
  status_changed: entry(
    409,
    'The case has another status since you looked at it; look again, and repeat the change if it still fits.',
  ),
  case_limit_reached: entry(409, 'This user has reached the limit of active cases; deactivate a case first.'),
  webhook_limit_reached: entry(409, 'You have reached the limit of webhooks; delete a webhook first.'),
  delivery_in_progress: entry(
    409,
    'An attempt of this delivery is in progress; try again when it has finished.',
  ),
  event_deleted: entry(409, 'The event was deleted with its user; it cannot be sent again.'),
  replay_in_progress: entry(
    409,
    'A replay to this webhook is running; wait until it has finished, or cancel it.',
  ),
  import_not_cancellable: entry(409, 'The import has ended already.'),
  idempotency_in_progress: entry(409, 'A request with this Idempotency-Key is still running.'),
  idempotency_key_reused: entry(409, 'This Idempotency-Key was used with another body.'),
  user_selection_required: entry(409, 'Several users have this address; send the user_id of one of them.'),
  opted_out_by_user: entry(409, 'The user opted out; only the user can opt in again.'),
  key_limit_reached: entry(
    409,
    'Two key pairs are already active; revoke one of them first, or rotate with overlap_seconds 0.',
  ),
  last_key: entry(
    409,
    'Without this key nobody could manage your API keys. First create another key with the scope `keys` that works from here and for at least a day.',
  ),
  staff_already_exists: entry(
    409,
    'Your staff has a member with this e-mail address; send `resend: true` to invite a member again who has not accepted yet.',
  ),
  last_owner: entry(
    409,
    'This is your last active owner; make another member an owner first, and wait until the invitation is accepted.',
  ),

  rate_limited: entry(429, 'Too many requests; try again after Retry-After seconds.'),
  too_many_login_attempts: entry(429, 'Too many attempts to sign in; try again later.'),

  internal_error: entry(500, 'An internal error occurred; quote the request id when you contact us.'),
  uscis_unavailable: entry(503, 'USCIS cannot be reached at the moment; try again later.'),
  service_unavailable: entry(503, 'The service is not available at the moment; try again later.'),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

const titles: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  408: 'RequestTimeout',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  431: 'RequestHeaderFieldsTooLarge',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

/** Problem `title` (specification §7). */
export function titleOf(status: number): string {
  return titles[status] ?? 'Error';
}

export function isRetryable(code: ErrorCode): boolean {
  const { status } = errorCatalogue[code];
  return [408, 429, 503].includes(status) || code.endsWith('_in_progress');
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}

function entry(status: number, message: string): CatalogueEntry {
  return { status, message };
}
