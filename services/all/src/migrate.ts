/** Creates missing collections and indexes of all services before their one process starts. The first failure ends it. */
import { cases } from '@casewatch/cases/service';
import { identity } from '@casewatch/identity/service';
import { monitor } from '@casewatch/monitor/service';
import { notifier } from '@casewatch/notifier/service';
import { createLogger, reportFailure } from '@casewatch/platform';
import { migrate } from '@casewatch/platform/database';
import { webhooks } from '@casewatch/webhooks/service';
import { environmentOf, readSettings } from './settings.ts';

try {
  readSettings(process.env);
  // The gateway has no database.
  for (const service of [identity, cases, monitor, notifier, webhooks])
    if (process.exitCode === undefined) await migrate(service, environmentOf(service.name, process.env));
} catch (error) {
  reportFailure('all', { error, log: createLogger('all', 'info'), text: 'migration failed' });
}
