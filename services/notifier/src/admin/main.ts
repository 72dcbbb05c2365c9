/** For example `npm run admin -- notifier templates`; in a cluster by `kubectl exec` or a Job. */
import { runAdmin } from './run-admin.ts';

process.exitCode = await runAdmin(process.argv.slice(2), process.env);
