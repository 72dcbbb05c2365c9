/** For example `npm run admin -- cases explain --case 7`; in a cluster by `kubectl exec`. */
import { operatorProgram, readConfig, runCommands } from '@casewatch/platform';
import { withDatabase } from '@casewatch/platform/database';
import { casesConfig } from '../config.ts';
import { createStores } from '../store/stores.ts';
import { explain } from './explain.ts';

const runAdmin = operatorProgram({
  name: 'cases',
  commands: [explain],
  withContext: (env, _say, work) =>
    withDatabase(readConfig(casesConfig, env), (db) => work({ stores: createStores(db) })),
});

await runCommands(runAdmin);
