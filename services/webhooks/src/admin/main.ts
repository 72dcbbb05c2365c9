/** For example `npm run admin -- webhooks explain --case 7`; in a cluster by `kubectl exec`. */
import { operatorProgram, readConfig, runCommands } from '@casewatch/platform';
import { withDatabase } from '@casewatch/platform/database';
import { webhooksConfig } from '../config.ts';
import { createStores } from '../store/stores.ts';
import { explain } from './explain.ts';

const runAdmin = operatorProgram({
  name: 'webhooks',
  commands: [explain],
  withContext: (env, _say, work) =>
    withDatabase(readConfig(webhooksConfig, env), (db) => work({ stores: createStores(db) })),
});

await runCommands(runAdmin);
