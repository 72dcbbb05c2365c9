import { z } from 'zod';
import { caseRef } from '../fields.ts';
import { operation } from '../operation.ts';
import { acknowledgement } from '../resources/acknowledgement.ts';
import { caseDelivery } from '../resources/delivery.ts';
import { maxRows } from './common.ts';

const params = z.strictObject({ case_ref: caseRef });

/** What is recorded about a case of a partner: statements of its users, and deliveries of its status updates. */
export const caseRecordOperations = {
  list_acknowledgements: operation({
    service: 'cases',
    method: 'GET',
    path: '/v1/client/cases/{case_ref}/acknowledgements',
    summary: 'List acknowledgements of a case',
    note: 'Returns who acknowledged that access to the case is authorized, when, and which version of the text.',
    who: ['partner'],
    scope: 'cases:read',
    role: 'viewer',
    recorded: 'read',
    params,
    success: {
      status: 200,
      body: z.strictObject({ acknowledgements: z.array(acknowledgement).max(maxRows) }),
    },
    errors: ['case_not_found'],
  }),
  list_case_deliveries: operation({
    service: 'webhooks',
    method: 'GET',
    path: '/v1/client/cases/{case_ref}/deliveries',
    summary: 'List webhook deliveries of a case',
    note: 'Returns the deliveries of the status updates of a case to your endpoints in the last 30 days, newest first: at most 100.',
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    recorded: 'read',
    params,
    success: { status: 200, body: z.strictObject({ deliveries: z.array(caseDelivery).max(maxRows) }) },
    errors: ['case_not_found'],
  }),
};
