import { operatorProgram, type Report, readConfig } from '@casewatch/platform';
import { withDatabase } from '@casewatch/platform/database';
import { casesConfig } from '../config.ts';
import { createStores } from '../store/stores.ts';
import { type CasesAdmin, explain } from './explain.ts';
import { statusesReview } from './statuses-review.ts';

/** The database is opened by the commands that read it: the status table needs no running system. */
export const runAdmin = operatorProgram({
  name: 'cases',
  commands: [explain, statusesReview],
  withContext: (env, _say, work: (ctx: CasesAdmin) => Promise<Report>) =>
    work({
      withStores: (read) => withDatabase(readConfig(casesConfig, env), (db) => read(createStores(db))),
    }),
});
