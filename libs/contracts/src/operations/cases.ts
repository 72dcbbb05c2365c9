import { z } from 'zod';
import { caseRef, description, idText, receiptNumber } from '../fields.ts';
import { liveCheckDeadlineMs, operation } from '../operation.ts';
import {
  caseSummary,
  createdCase,
  partnerCase,
  partnerCaseWithUser,
  partnerMonitoring,
} from '../resources/case.ts';
import { partnerStatusUpdate, statusUpdate } from '../resources/status-update.ts';
import { booleanText, done, page, paging, timeText, userPath } from './common.ts';

/** Cases as partners and users act on them (specification §4; interface.md §4). */
export const caseOperations = {
  create_partner_case: operation({
    service: 'cases',
    method: 'POST',
    path: '/v1/client/users/{user_id}/cases',
    summary: 'Create case for partner user',
    who: ['partner'],
    scope: 'cases:write',
    params: userPath,
    body: z.strictObject({
      receipt_number: receiptNumber,
      description: description.default(''),
      uscis_access_acknowledged: z
        .custom<true | undefined>((value) => value === true, {
          message: 'must be true: the end user or their counsel has authorized access',
          params: { code: 'uscis_access_not_acknowledged' },
        })
        .meta({ type: 'boolean', const: true }),
      first_check: z.enum(['now', 'deferred']).default('now'),
    }),
    success: {
      status: 201,
      body: z.strictObject({
        ...done,
        case: createdCase,
        status_updates: z.array(statusUpdate),
        update_count: z.int(),
      }),
    },
    errors: [
      'invalid_receipt_number',
      'uscis_access_not_acknowledged',
      'receipt_number_rejected',
      'user_not_active',
      'user_not_found',
      'case_already_monitored',
      'case_limit_reached',
      'rate_limited',
      'uscis_unavailable',
    ],
    deadlineMs: liveCheckDeadlineMs,
  }),
  update_case: operation({
    service: 'cases',
    method: 'PUT',
    path: '/v1/users/{user_id}/cases/{case_ref}',
    summary: 'Update case',
    who: ['user', 'partner'],
    scope: 'cases:write',
    params: userPath.extend({ case_ref: caseRef }),
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
    summary: 'List all partner cases',
    who: ['partner'],
    scope: 'cases:read',
    query: z.strictObject({
      ...paging,
      user_id: idText.optional(),
      active: booleanText.optional(),
      receipt_number: receiptNumber.optional(),
      category: z.string().max(40).optional(),
      updated_since: timeText.optional(),
      sort: z.enum(['created_at', '-created_at', 'last_checked', '-last_checked']).default('-created_at'),
    }),
    success: { status: 200, body: z.strictObject({ cases: z.array(partnerCase), ...page }) },
    errors: ['invalid_cursor'],
  }),
  get_partner_case: operation({
    service: 'cases',
    method: 'GET',
    path: '/v1/client/cases/{case_ref}',
    summary: 'Get one partner case',
    who: ['partner'],
    scope: 'cases:read',
    params: z.strictObject({ case_ref: caseRef }),
    query: z.strictObject({ updates_cursor: z.string().min(1).max(1024).optional() }),
    success: {
      status: 200,
      body: z.strictObject({
        case: partnerCaseWithUser,
        status_updates: z.array(partnerStatusUpdate),
        update_count: z.int(),
        updates_cursor: z.string().nullable(),
        monitoring: partnerMonitoring,
      }),
    },
    errors: ['case_not_found', 'invalid_cursor'],
  }),
};
