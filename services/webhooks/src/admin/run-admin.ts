import { operatorProgram, readConfig } from '@casewatch/platform';
import { type Session, withDatabase } from '@casewatch/platform/database';
import { webhooksConfig } from '../config.ts';
import { createAdminContext } from './admin-context.ts';
import { disable, enable, replay } from './endpoints.ts';
import { explain } from './explain.ts';

export const runAdmin = operatorProgram({
  name: 'webhooks',
  commands: [explain, disable, enable, replay],
  recordIn: ({ clock, outbox }) => ({
    clock,
    add: (session, record) =>
      outbox.add(session as Session, 'webhooks.audited', `partner/${record.partner_id}`, {
        records: [record],
      }),
  }),
  withContext: (env, _say, work) =>
    withDatabase(readConfig(webhooksConfig, env), (db) => work(createAdminContext(db))),
});
