import { z } from 'zod';
import { isoTime } from '../fields.ts';
import { operation } from '../operation.ts';
import { capacity, freshness, upstreamState } from '../resources/service-status.ts';

/** How the service fares (interface.md §4, service status). */
export const serviceOperations = {
  get_status: operation({
    service: 'cases',
    method: 'GET',
    path: '/v1/status',
    summary: 'Get the service status',
    note: 'Returns whether USCIS responds, how old the last checks are, and whether the daily quota suffices for all checks.',
    who: ['anonymous'],
    scope: null,
    success: {
      status: 200,
      body: z.strictObject({
        upstream: upstreamState,
        /** Whether due receipts are being checked at this time. */
        checking: z.boolean(),
        freshness: freshness.nullable(),
        overdue_receipts: z.int().min(0).nullable(),
        capacity: capacity.nullable(),
        as_of: isoTime,
      }),
    },
    errors: [],
  }),
};
