import { operatorProgram, readConfig } from '@casewatch/platform';
import { withDatabase } from '@casewatch/platform/database';
import { webhooksConfig } from '../config.ts';
import { createAdminContext } from './admin-context.ts';
import { disable, enable, replay } from './endpoints.ts';
import { explain } from './explain.ts';

export const runAdmin = operatorProgram({
  name: 'webhooks',
  commands: [explain, disable, enable, replay],
  withContext: (env, _say, work) =>
    withDatabase(readConfig(webhooksConfig, env), (db) => work(createAdminContext(db))),
});
