/** For example `npm run admin -- cases explain --case 7`; in a cluster by `kubectl exec`. */
import { runCommands } from '@casewatch/platform';
import { runAdmin } from './run-admin.ts';

await runCommands(runAdmin);
