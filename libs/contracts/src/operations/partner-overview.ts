import { z } from 'zod';
import { idText } from '../fields.ts';
import { operation } from '../operation.ts';
import { statisticsPeriod } from '../resources/statistics.ts';
import { suppression } from '../resources/suppression.ts';
import { maxRows } from './common.ts';

/** What a partner looks at every day: how much happened, and whom no message reaches. */
export const partnerOverviewOperations = {
  get_statistics: operation({
    service: 'webhooks',
    method: 'GET',
    path: '/v1/client/statistics',
    summary: 'Get your statistics',
    note: 'Returns counts for each of the last 24 hours and each of the last 30 days, oldest first. Days are in UTC. The last period is still incomplete. With many events the counts can be up to one minute old. Data of deleted users is not counted.',
    who: ['partner'],
    scope: 'profile:read',
    role: 'viewer',
    success: {
      status: 200,
      body: z.strictObject({
        hours: z.array(statisticsPeriod).max(24),
        days: z.array(statisticsPeriod).max(30),
      }),
    },
    errors: [],
  }),
  list_suppressions: operation({
    service: 'notifier',
    method: 'GET',
    path: '/v1/client/suppressions',
    summary: 'List users without messages',
    note: 'Returns at most 100 users who get no messages on a channel, because an e-mail bounced or the person opted out. Without `user_id`, only users to whom a message was due in the last 30 days.',
    who: ['partner'],
    scope: 'users:read',
    role: 'viewer',
    recorded: 'read',
    query: z.strictObject({ user_id: idText.optional() }),
    success: { status: 200, body: z.strictObject({ suppressions: z.array(suppression).max(maxRows) }) },
    errors: [],
  }),
};
