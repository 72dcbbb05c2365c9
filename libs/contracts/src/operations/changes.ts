import { z } from 'zod';
import { id, idText } from '../fields.ts';
import { operation } from '../operation.ts';
import { partnerChange, reviewedChange } from '../resources/change.ts';
import { booleanText, done, maxRows, page, paging, severalTexts, timeText } from './common.ts';

/** What the list of changes filters by. */
export const filtersOfChanges = {
  since: timeText.optional(),
  until: timeText.optional(),
  category: severalTexts.optional(),
  urgent: booleanText.optional(),
  assignee_id: idText.optional(),
  reviewed: booleanText.optional(),
};

/** What happened to the cases of a firm, and what somebody there has looked at (firm.md §3). */
export const changeOperations = {
  list_changes: operation({
    service: 'cases',
    method: 'GET',
    path: '/v1/client/changes',
    summary: 'List changes',
    note: 'Returns what happened to the cases of your users, newest first: a list of status updates, not of cases. A change that was followed by another stays in it. It also contains cases that cannot be monitored as planned, and a new case whose first status already asks for an answer (`already_open`). With `sort=at` it returns the oldest first, for polling: a change appears about 7 seconds after it was recorded, and `next_cursor` is never null: store it, wait, and send it again to get the next changes. Poll without `assignee_id` and `reviewed`, which can change after the cursor has passed a change.',
    who: ['partner'],
    scope: 'cases:read',
    role: 'viewer',
    recorded: 'read',
    query: z.strictObject({
      ...paging,
      ...filtersOfChanges,
      sort: z.enum(['-at', 'at']).default('-at'),
    }),
    success: { status: 200, body: z.strictObject({ changes: z.array(partnerChange).max(maxRows), ...page }) },
    errors: ['invalid_cursor'],
  }),
  review_changes: operation({
    service: 'cases',
    method: 'POST',
    path: '/v1/client/changes/review',
    summary: 'Review changes',
    note: 'Marks changes as reviewed, or as not reviewed. A review is that of your firm: who reviewed a change first stays, and a second review changes nothing. If one of the ids is not the id of a change of yours, nothing is marked.',
    who: ['partner'],
    scope: 'cases:write',
    role: 'editor',
    recorded: 'effect',
    body: z.strictObject({ ids: z.array(id).min(1).max(maxRows), reviewed: z.boolean() }),
    success: {
      status: 200,
      body: z.strictObject({ ...done, changes: z.array(reviewedChange).max(maxRows) }),
    },
    errors: ['change_not_found'],
  }),
};
