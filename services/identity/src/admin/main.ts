/** The operator's command: `npm run admin -- partner create …`, in a cluster by `kubectl exec` or a Job. */
import { runCommands } from '@casewatch/platform';
import { runAdmin } from './run-admin.ts';

await runCommands(runAdmin);
