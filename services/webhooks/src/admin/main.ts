/** For example `npm run admin -- webhooks disable --endpoint 5`; in a cluster by `kubectl exec`. */
import { runCommands } from '@casewatch/platform';
import { runAdmin } from './run-admin.ts';

await runCommands(runAdmin);
