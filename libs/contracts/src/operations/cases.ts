import { z } from 'zod';
import { caseRef, description, idText, isoTime, matterReference, receiptNumber } from '../fields.ts';
import { liveCheckDeadlineMs, operation } from '../operation.ts';
import {
  caseSummary,
  caseWithUser,
  createdCase,
  listedCase,
  maxTotal,
  monitoring,
  monitoringState,
  partnerCaseWithUser,
  partnerMonitoring,
  updatedCase,
} from '../resources/case.ts';
import { checkedStatus, partnerStatusUpdate, statusUpdate } from '../resources/status-update.ts';
import { booleanText, done, maxRows, page, paging, severalTexts, timeText, userPath } from './common.ts';

/** What a new case needs. `first_check`: whether the answer waits for USCIS. */
const newCase = z.strictObject({
  receipt_number: receiptNumber,
  description: description.default(''),
  uscis_access_acknowledged: z
    .custom<true | undefined>((value) => value === true, {
      message: 'must be true: the end user or their counsel has authorized access',
      params: { code: 'uscis_access_not_acknowledged' },
    })
    .meta({ type: 'boolean', const: true }),
  first_check: z.enum(['now', 'deferred']).default('now'),
});

const created = z.strictObject({
  ...done,
  case: createdCase,
  status_updates: z.array(statusUpdate).max(1),
  update_count: z.int(),
});

const creationErrors = [
  'invalid_receipt_number',
  'uscis_access_not_acknowledged',
  'receipt_number_rejected',
  'user_not_active',
  'user_not_found',
  'case_already_monitored',
  'case_limit_reached',
  'rate_limited',
  'uscis_unavailable',
] as const;

const casePath = userPath.extend({ case_ref: caseRef });

/** What lists of cases filter and sort by. */
const caseFilters = {
  ...paging,
  active: booleanText.optional(),
  receipt_number: receiptNumber.optional(),
  category: severalTexts.optional(),
  updated_since: timeText.optional(),
  sort: z.enum(['created_at', '-created_at', 'last_checked', '-last_checked']).default('-created_at'),
};

/** Cases as partners and users act on them (specification §4; interface.md §4). */
export const caseOperations = {
  create_partner_case: operation({
    service: 'cases',
    method: 'POST',
    path: '/v1/client/users/{user_id}/cases',
    summary: 'Create a case for a partner user',
    note: 'Starts to monitor a receipt number for one of your users. The user must be active; the e-mail address need not be verified. By default the response waits for the first check with USCIS. If USCIS cannot be reached, the response is 503 and no case is created.',
    idempotent: true,
    who: ['partner'],
    scope: 'cases:write',
    role: 'editor',
    params: userPath,
    body: newCase,
    success: { status: 201, body: created },
    errors: creationErrors,
    deadlineMs: liveCheckDeadlineMs,
  }),
  update_case: operation({
    service: 'cases',
    method: 'PUT',
    path: '/v1/users/{user_id}/cases/{case_ref}',
    summary: 'Update a case',
    note: 'Changes the fields that you send. Set `active` to false to stop monitoring the case, and to true to resume.',
    who: ['user', 'partner'],
    scope: 'cases:write',
    role: 'editor',
    params: casePath,
    body: z.strictObject({ active: z.boolean().optional(), description: description.optional() }),
    success: { status: 200, body: z.strictObject({ ...done, case: caseSummary }) },
    errors: [
      'empty_update',
      'user_not_active',
      'case_not_found',
      'case_already_monitored',
      'case_limit_reached',
    ],
  }),
  list_partner_cases: operation({
    service: 'cases',
    method: 'GET',
    path: '/v1/client/cases',
    summary: 'List partner cases',
    note: 'Returns the cases of all your users. Send `user_id` to get the cases of one user.',
    who: ['partner'],
    scope: 'cases:read',
    role: 'viewer',
    query: z.strictObject({
      ...caseFilters,
      sort: z
        .enum(['created_at', '-created_at', 'last_checked', '-last_checked', '-changed_at'])
        .default('-created_at'),
      user_id: idText.optional(),
      changed_since: timeText.optional(),
      monitoring: monitoringState.optional(),
      urgent: booleanText.optional(),
      reference: matterReference.optional(),
    }),
    success: {
      status: 200,
      body: z.strictObject({
        cases: z.array(listedCase).max(maxRows),
        ...page,
        total: z.int().min(0).max(maxTotal).nullable(),
        total_is_exact: z.boolean(),
      }),
    },
    errors: ['invalid_cursor'],
  }),
  get_partner_case: operation({
    service: 'cases',
    method: 'GET',
    path: '/v1/client/cases/{case_ref}',
    summary: 'Get a partner case',
    note: 'Retrieves a case of one of your users, with its status updates, newest first.',
    who: ['partner'],
    scope: 'cases:read',
    role: 'viewer',
    params: z.strictObject({ case_ref: caseRef }),
    query: z.strictObject({ updates_cursor: z.string().min(1).max(1024).optional() }),
    success: {
      status: 200,
      body: z.strictObject({
        case: partnerCaseWithUser,
        status_updates: z.array(partnerStatusUpdate).max(maxRows),
        update_count: z.int(),
        updates_cursor: z.string().max(1_024).nullable(),
        monitoring: partnerMonitoring,
      }),
    },
    errors: ['case_not_found', 'invalid_cursor'],
  }),
  update_partner_case: operation({
    service: 'cases',
    method: 'PUT',
    path: '/v1/client/cases/{case_ref}',
    summary: 'Update a partner case',
    note: 'Changes the fields that you send. `reference` is the number of the matter at your firm; null removes it. Set `active` to false to stop monitoring the case, and to true to resume.',
    who: ['partner'],
    scope: 'cases:write',
    role: 'editor',
    params: z.strictObject({ case_ref: caseRef }),
    body: z.strictObject({
      reference: matterReference.nullable().optional(),
      description: description.optional(),
      active: z.boolean().optional(),
    }),
    success: { status: 200, body: z.strictObject({ ...done, case: updatedCase }) },
    errors: [
      'empty_update',
      'user_not_active',
      'case_not_found',
      'case_already_monitored',
      'case_limit_reached',
    ],
  }),
  delete_partner_case: operation({
    service: 'cases',
    method: 'DELETE',
    path: '/v1/client/cases/{case_ref}',
    summary: 'Delete a partner case',
    note: 'Stops monitoring a case of one of your users, for example one with a mistyped receipt number, and deletes it with its status updates and changes.',
    who: ['partner'],
    scope: 'cases:write',
    role: 'editor',
    isSensitive: true,
    params: z.strictObject({ case_ref: caseRef }),
    success: { status: 200, body: z.strictObject(done) },
    errors: ['case_not_found'],
  }),
  list_cases: operation({
    service: 'cases',
    method: 'GET',
    path: '/v1/users/{user_id}/cases',
    summary: 'List cases',
    note: 'Returns the cases of a user.',
    who: ['user', 'partner'],
    scope: 'cases:read',
    role: 'viewer',
    params: userPath,
    query: z.strictObject(caseFilters),
    success: { status: 200, body: z.strictObject({ cases: z.array(caseSummary).max(maxRows), ...page }) },
    errors: ['user_not_found', 'invalid_cursor'],
  }),
  create_case: operation({
    service: 'cases',
    method: 'POST',
    path: '/v1/users/{user_id}/cases',
    summary: 'Create a case',
    note: 'Starts to monitor a receipt number for the signed-in user. By default the response waits for the first check with USCIS. If USCIS cannot be reached, the response is 503 and no case is created.',
    idempotent: true,
    who: ['user'],
    scope: null,
    params: userPath,
    body: newCase,
    success: { status: 201, body: created },
    errors: creationErrors,
    deadlineMs: liveCheckDeadlineMs,
  }),
  get_case: operation({
    service: 'cases',
    method: 'GET',
    path: '/v1/users/{user_id}/cases/{case_ref}',
    summary: 'Get a case',
    note: 'Retrieves a case with its status updates, newest first.',
    who: ['user', 'partner'],
    scope: 'cases:read',
    role: 'viewer',
    params: casePath,
    query: z.strictObject({ updates_cursor: z.string().min(1).max(1024).optional() }),
    success: {
      status: 200,
      body: z.strictObject({
        case: caseWithUser,
        status_updates: z.array(statusUpdate).max(maxRows),
        update_count: z.int(),
        updates_cursor: z.string().max(1_024).nullable(),
        monitoring,
      }),
    },
    errors: ['case_not_found', 'invalid_cursor'],
  }),
  delete_case: operation({
    service: 'cases',
    method: 'DELETE',
    path: '/v1/users/{user_id}/cases/{case_ref}',
    summary: 'Delete a case',
    note: 'Stops monitoring the case and deletes it with its status updates.',
    who: ['user'],
    scope: null,
    params: casePath,
    success: { status: 200, body: z.strictObject(done) },
    errors: ['case_not_found'],
  }),
  check: operation({
    service: 'cases',
    method: 'POST',
    path: '/v1/check',
    summary: 'Check a case status',
    note: 'Returns the status of a receipt number and creates no case. A stored status, from an earlier check of yours or from your monitored case, can be up to `max_age` seconds old; `source` says whether it is stored or live.',
    who: ['user', 'partner'],
    scope: 'check',
    role: 'editor',
    body: z.strictObject({
      receipt_number: receiptNumber,
      max_age: z.int().min(300).max(86_400).default(900),
    }),
    success: {
      status: 200,
      body: z.strictObject({
        ...done,
        receipt_number: z.string().max(13),
        status: checkedStatus,
        checked_at: isoTime,
        source: z.enum(['live', 'cache']),
      }),
    },
    errors: [
      'invalid_receipt_number',
      'receipt_number_rejected',
      'status_not_available',
      'rate_limited',
      'uscis_unavailable',
    ],
    deadlineMs: liveCheckDeadlineMs,
  }),
};
